// Answers what one session did: its calls in order, its agents, and its cost as it grew. Its
// figures are the stored sums; the rest is of its calls, of which a limited number is looked at.

import type { CallAgent } from '../../core/agents/call-agent.ts'
import { formatMoney } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { SessionKey } from '../../store/usage/session-log.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { toIso } from '../iso-time.ts'
import type { KnownNames } from '../known-names.ts'
import { toRequestRow } from '../requests/request-row.ts'
import { toSessionRow } from './read-sessions.ts'
import type { SessionAgent, AgentSessionDetail, SessionStep } from './session-contract.ts'

/** Looked at for agents and steps. */
const CALLS_READ_MAX = 10_000
const STEPS_MAX = 60
const STEP_MS_MIN = 1000
/** Ids have the time of a call's start by another reading of the clock. */
const CLOCK_SLACK_MS = 3_600_000

export interface SessionAsked {
  readonly key: SessionKey
  readonly callsMax: number
}

export interface SessionReading {
  readonly usage: Pick<UsageStore, 'sessions' | 'upkeep'>
  readonly names: KnownNames
  readonly nowMs: number
}

/** Null where there is none, or none that is seen. */
export async function readSession(
  { key, callsMax }: SessionAsked,
  { usage, names, nowMs }: SessionReading,
): Promise<AgentSessionDetail | null> {
  const [session] = await usage.sessions.read({
    fromMs: 0,
    toMs: nowMs,
    keyId: null,
    team: null,
    person: null,
    tool: null,
    repository: null,
    only: key,
  })
  if (session === undefined) return null
  const { firstAt, lastAt } = session
  const within = { fromMs: firstAt - CLOCK_SLACK_MS, toMs: lastAt + CLOCK_SLACK_MS }
  const filter = { ...ALL_REQUESTS, ...key, ...within }
  const page = { after: null, rowsMax: CALLS_READ_MAX + 1 }
  const read = await usage.upkeep.readRecords(filter, page)
  const records = read.slice(0, CALLS_READ_MAX)
  const stepMs = Math.max(STEP_MS_MIN, Math.ceil((lastAt - firstAt + 1) / STEPS_MAX))
  return {
    ...toSessionRow(session, names),
    as_of: toIso(nowMs),
    agents: toAgents(records),
    step_ms: stepMs,
    steps: toSteps(records, { firstAt, stepMs }),
    is_complete: read.length === records.length,
    calls: records.slice(0, callsMax).map((record) => toRequestRow(record, names)),
  }
}

/** Sums of some calls; denied ones are counted alone. */
function createSum() {
  const sum = { requests: 0, cost: 0n, denied: 0 }
  const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  return {
    add({ event, cost }: UsageRecord): void {
      if (event.status === 'denied') {
        sum.denied += 1
        return
      }
      sum.requests += 1
      sum.cost += cost.amount ?? 0n
      const counts = event.tokens
      if (counts === null) return
      tokens.input += counts.input
      tokens.cacheRead += counts.cacheRead
      tokens.cacheWrite += counts.cacheWrite5m + counts.cacheWrite1h
      tokens.output += counts.output
      tokens.reasoning += counts.reasoning
    },
    sum,
    toAnswer: () => ({
      requests: sum.requests,
      cost_usd: formatMoney(sum.cost),
      input_tokens: tokens.input,
      cache_read_tokens: tokens.cacheRead,
      cache_write_tokens: tokens.cacheWrite,
      output_tokens: tokens.output,
      reasoning_tokens: tokens.reasoning,
      cache_share: tokens.input === 0 ? null : Math.min(1, tokens.cacheRead / tokens.input),
    }),
  }
}

/** The calls that say no agent are the main one's. */
function toAgents(records: readonly UsageRecord[]): SessionAgent[] {
  const byAgent = Map.groupBy(records, ({ event }) => event.agent?.agent ?? null)
  const agents = new Map([...byAgent].map(([agent, calls]) => [agent, toAgent(agent, calls)]))
  const children = Map.groupBy(agents.values(), ({ agent, parent_agent: parent }) =>
    agent === null ? undefined : agents.has(parent) ? parent : null,
  )
  const listed = new Set<SessionAgent>()
  const list = (agent: SessionAgent): void => {
    if (listed.has(agent)) return
    listed.add(agent)
    for (const child of children.get(agent.agent) ?? []) list(child)
  }
  const main = agents.get(null)
  if (main !== undefined) list(main)
  // Callers may say what is no tree.
  for (const agent of agents.values()) list(agent)
  return [...listed]
}

function toAgent(agent: string | null, calls: readonly UsageRecord[]): SessionAgent {
  const sum = createSum()
  for (const call of calls) sum.add(call)
  const said: CallAgent = calls.find(({ event }) => event.agent?.parentAgent)?.event.agent ?? {}
  return {
    agent,
    parent_agent: agent === null ? null : (said.parentAgent ?? null),
    ...sum.toAnswer(),
    denied: sum.sum.denied,
    started_at: toIso(calls.reduce((at, { event }) => Math.min(at, event.startedAt), Infinity)),
    last_at: toIso(calls.reduce((at, { event }) => Math.max(at, event.endedAt), 0)),
  }
}

function toSteps(
  records: readonly UsageRecord[],
  { firstAt, stepMs }: { readonly firstAt: number; readonly stepMs: number },
): SessionStep[] {
  const forwarded = records.filter(({ event }) => event.status !== 'denied')
  const byStep = Map.groupBy(forwarded, ({ event }) =>
    Math.max(0, Math.floor((event.endedAt - firstAt) / stepMs)),
  )
  let soFar = 0n
  return [...byStep]
    .toSorted(([one], [other]) => one - other)
    .map(([step, calls]) => {
      const sum = createSum()
      for (const call of calls) sum.add(call)
      soFar += sum.sum.cost
      return {
        start: toIso(firstAt + step * stepMs),
        ...sum.toAnswer(),
        cost_so_far_usd: formatMoney(soFar),
      }
    })
}
