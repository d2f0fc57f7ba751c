// The calls of an incident in the console's Requests, the most expensive first.

import { ownerNameOf } from '../teams/team.ts'
import { lastJump } from './incident.ts'
import type { Incident, Spender } from './incident.ts'

const DAY_MS = 86_400_000

/** Of the first subject, from the first day to the last: what the incident's figures are of. */
export function toCallsPath(incident: Pick<Incident, 'subjects' | 'jumps'>): string {
  const { subjects, jumps } = incident
  const lastMs = Date.parse(`${lastJump(incident).day}T00:00:00Z`)
  const filter = new URLSearchParams({
    ...toFilter(subjects[0]),
    from: jumps[0].day,
    to: new Date(lastMs + DAY_MS).toISOString().slice(0, 10),
    sort: 'cost',
  })
  return `/requests?${filter.toString()}`
}

function toFilter({ kind, name }: Spender): Record<string, string> {
  switch (kind) {
    case 'api_key':
      return { api_key: name }
    case 'model': {
      const [provider, model] = splitAt(name, '/')
      return { provider, model }
    }
    case 'dim': {
      const [key, value] = splitAt(name, '=')
      const fact = ownerNameOf(key)
      return fact === null ? { dim_key: key, dim_value: value } : { [fact]: value }
    }
  }
}

/** Models have further slashes, values further equals signs. */
function splitAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}
