// Puts a name to the key, person or team that an alert of a budget for each is about. The ledger
// knows ids alone. Must stay true: an alert leaves without a name rather than not at all.

import type { Alert } from '../core/alert.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'

type Sources = Pick<SettingsStore, 'keys' | 'teams' | 'users'>

interface Member {
  readonly kind: string
  readonly id: string
  readonly name: string | null
}

interface Body {
  readonly data?: { readonly member?: Member }
}

const FINDERS: Readonly<Record<string, (id: string, sources: Sources) => Promise<string | null>>> =
  {
    key: async (id, { keys }) => (await keys.list()).find((key) => key.id === id)?.name ?? null,
    team: async (id, { teams }) => (await teams.find({ id }))?.name ?? null,
    person: async (id, { users }) => (await users.find({ id }))?.email ?? null,
  }

export function createMemberNames(sources: Sources) {
  return async (alerts: readonly Alert[]): Promise<readonly Alert[]> => {
    // Several thresholds of one member come together.
    const known = new Map<string, string | null>()
    const named: Alert[] = []
    for (const alert of alerts) {
      const body = JSON.parse(alert.body) as Body
      const { member } = body.data ?? {}
      if (member === undefined) {
        named.push(alert)
        continue
      }
      const name = known.has(member.id)
        ? (known.get(member.id) ?? null)
        : ((await FINDERS[member.kind]?.(member.id, sources)) ?? null)
      known.set(member.id, name)
      const data = { ...body.data, member: { ...member, name } }
      named.push({ ...alert, body: JSON.stringify({ ...body, data }) })
    }
    return named
  }
}
