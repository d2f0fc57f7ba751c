// The alert of an incident, whose body has all that is known of it. Must stay true: a body of any
// version can be read, and names of it are only added, never changed.

import type { Alert } from '../alert.ts'
import { toBody } from './budget-alert.ts'
import { parseMoney, toAnswerUsd } from '../money.ts'
import { OWNER_NAMES, OWNERS } from '../teams/team.ts'
import type { OwnerName } from '../teams/team.ts'
import { toCallsPath } from './calls-path.ts'
import { excessOf, lastJump } from './incident.ts'
import type { Incident, Jump, Spender, SpenderKind } from './incident.ts'

const SUBJECTS_MAX = 20

/** `consoleUrl`: without a final slash; null while it is not known, and the link is a path. */
export function toIncidentAlert(
  incident: Incident,
  { consoleUrl }: { readonly consoleUrl: string | null } = { consoleUrl: null },
): Alert {
  const { id, at, subjects, jumps, largest, days } = incident
  const last = lastJump(incident)
  const [subject] = subjects
  return {
    id,
    kind: 'spend.anomaly',
    budgetId: null,
    at,
    body: toBody('spend.anomaly', at, {
      subject: toNamed(subject),
      day: last.day,
      spent_usd: toAnswerUsd(last.spent),
      usual_usd: toAnswerUsd(last.usual),
      largest_usd: toAnswerUsd(largest),
      days,
      subjects: subjects.slice(0, SUBJECTS_MAX).map(toNamed),
      first_day: jumps[0].day,
      excess_usd: toAnswerUsd(excessOf(incident)),
      jumps: jumps.map(({ day, spent, usual }) => ({
        day,
        spent_usd: toAnswerUsd(spent),
        usual_usd: toAnswerUsd(usual),
      })),
      calls_url: `${consoleUrl ?? ''}${toCallsPath(incident)}`,
    }),
  }
}

interface NamedSubject {
  readonly kind: SpenderKind | OwnerName
  readonly name: string
}

interface IncidentData {
  readonly subject: NamedSubject
  readonly day: string
  readonly spent_usd: number
  readonly usual_usd: number
  readonly largest_usd: number
  readonly days: number
  /** Bodies of earlier versions, which were of one subject and day, lack these. */
  readonly subjects?: readonly [NamedSubject, ...NamedSubject[]]
  readonly jumps?: readonly [JumpData, ...JumpData[]]
}

type JumpData = Pick<IncidentData, 'day' | 'spent_usd' | 'usual_usd'>

/** Null for an alert of another kind, and for a body without figures. */
export function readIncident({ id, kind, at, body }: Alert): Incident | null {
  if (kind !== 'spend.anomaly') return null
  const { data } = JSON.parse(body) as { readonly data?: IncidentData }
  if (data?.subject === undefined || data.day === undefined) return null
  const [first, ...others] = data.jumps ?? [data]
  const [subject, ...subjects] = data.subjects ?? [data.subject]
  return {
    id,
    at,
    subjects: [fromNamed(subject), ...subjects.map(fromNamed)],
    jumps: [toJump(first), ...others.map(toJump)],
    largest: parseMoney(data.largest_usd) ?? 0n,
    days: data.days,
  }
}

function toJump({ day, spent_usd, usual_usd }: JumpData): Jump {
  return { day, spent: parseMoney(spent_usd) ?? 0n, usual: parseMoney(usual_usd) ?? 0n }
}

/** As it is shown: a team and a person are no dimensions to those who read of them. */
export function toNamed({ kind, name }: Spender): NamedSubject {
  const fact = OWNER_NAMES.find((each) => kind === 'dim' && name.startsWith(`${OWNERS[each]}=`))
  return fact === undefined
    ? { kind, name }
    : { kind: fact, name: name.slice(name.indexOf('=') + 1) }
}

function fromNamed({ kind, name }: NamedSubject): Spender {
  if (kind !== 'team' && kind !== 'person') return { kind, name }
  return { kind: 'dim', name: `${OWNERS[kind]}=${name}` }
}
