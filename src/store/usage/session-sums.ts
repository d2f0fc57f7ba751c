// Sums records per session, in memory, so that the store writes each once. A session belongs to its
// key, and to whom its calls are booked, as who may see them differs. Must stay true: a forwarded
// call is in one sum, and a denied one in a sum of those alone, which counts and has no cost.

import { FACTS } from '../../core/teams/team.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { addFigures, createFigures } from '../../core/usage-figures.ts'
import type { UsageFigures } from '../../core/usage-figures.ts'

/** What became of its calls. A repeated call that failed is one that failed. */
export const SESSION_OUTCOMES = ['used', 'retry', 'failed', 'aborted'] as const
export type SessionOutcome = (typeof SESSION_OUTCOMES)[number]
export const DENIED_PART = 'denied'
const OF_SUBAGENT = 'subagent '

/** The calls of a sum beside its session: `used`, `subagent retry`, `denied`. */
export function toSessionPart({ status, dims, agent }: SessionEvent): string {
  if (status === 'denied') return DENIED_PART
  const isSubagent = dims[FACTS.agent_kind] === 'subagent'
  return `${isSubagent ? OF_SUBAGENT : ''}${toOutcome(status, agent?.retry ?? 0)}`
}

export function fromSessionPart(part: string): {
  readonly isSubagent: boolean
  readonly outcome: SessionOutcome
} {
  const isSubagent = part.startsWith(OF_SUBAGENT)
  const outcome = isSubagent ? part.slice(OF_SUBAGENT.length) : part
  return { isSubagent, outcome: SESSION_OUTCOMES.find((each) => each === outcome) ?? 'used' }
}

function toOutcome(status: UsageEvent['status'], retry: number): SessionOutcome {
  if (status === 'aborted') return 'aborted'
  if (status !== 'delivered') return 'failed'
  return retry > 0 ? 'retry' : 'used'
}

/** Of the call that ended last; of several, those whose texts come last. */
export interface SessionAbout {
  readonly firstAt: number
  readonly lastAt: number
  /** Empty where nothing is said, as are the next two. */
  readonly tool: string
  readonly toolVersion: string
  readonly repository: string
}

export type SessionEvent = Pick<
  UsageEvent,
  'status' | 'startedAt' | 'endedAt' | 'keyId' | 'dims' | 'agent'
>

export type SessionSum = UsageFigures & {
  /** Month, key id, session, team, person, part. */
  readonly key: readonly [period: string, ...names: string[]]
  readonly about: SessionAbout
}

type OpenAbout = { -readonly [Name in keyof SessionAbout]: SessionAbout[Name] }
type OpenSum = UsageFigures & { readonly key: SessionSum['key']; readonly about: OpenAbout }

export interface SessionSums {
  add(event: SessionEvent, month: string, figures: UsageFigures): void
  list(): readonly SessionSum[]
}

export function hasSession({ keyId, agent }: Pick<UsageEvent, 'keyId' | 'agent'>): boolean {
  return agent?.session !== undefined && keyId !== null
}

export function createSessionSums(): SessionSums {
  const sums = new Map<string, OpenSum>()
  return {
    add(event, month, figures) {
      if (!hasSession(event)) return
      const { status, keyId, dims, agent } = event
      const owners = [dims[FACTS.team] ?? '', dims[FACTS.person] ?? '']
      const names = [keyId ?? '', agent?.session ?? '', ...owners, toSessionPart(event)]
      const place = `${month}\n${names.join('\n')}`
      let sum = sums.get(place)
      if (sum === undefined) {
        sum = { ...createFigures(), key: [month, ...names], about: toAbout(event) }
        sums.set(place, sum)
      } else {
        putAbout(sum.about, event)
      }
      if (status === 'denied') sum.requests += figures.requests
      else addFigures(sum, figures)
    },
    list: () => [...sums.values()],
  }
}

function toAbout({ startedAt, endedAt, dims, agent }: SessionEvent): OpenAbout {
  return {
    firstAt: startedAt,
    lastAt: endedAt,
    tool: dims[FACTS.tool] ?? '',
    toolVersion: agent?.toolVersion ?? dims[FACTS.tool_version] ?? '',
    repository: dims[FACTS.repository] ?? '',
  }
}

/** As mergeAbout; nearly every call is the last so far, and no other ended in its millisecond. */
function putAbout(about: OpenAbout, event: SessionEvent): void {
  if (event.startedAt < about.firstAt) about.firstAt = event.startedAt
  if (event.endedAt < about.lastAt) return
  const isTie = event.endedAt === about.lastAt
  const { tool, toolVersion, repository } = isTie
    ? mergeAbout(about, toAbout(event))
    : toAbout(event)
  about.lastAt = event.endedAt
  about.tool = tool
  about.toolVersion = toolVersion
  about.repository = repository
}

/** The same in whatever order. */
export function mergeAbout(one: SessionAbout, other: SessionAbout): SessionAbout {
  const later = isLater(other, one) ? other : one
  return { ...later, firstAt: Math.min(one.firstAt, other.firstAt) }
}

/** As the engines compare rows: texts by their bytes. */
function isLater(one: SessionAbout, other: SessionAbout): boolean {
  if (one.lastAt !== other.lastAt) return one.lastAt > other.lastAt
  for (const name of ['tool', 'toolVersion', 'repository'] as const) {
    if (one[name] !== other[name]) {
      return Buffer.compare(Buffer.from(one[name]), Buffer.from(other[name])) > 0
    }
  }
  return false
}
