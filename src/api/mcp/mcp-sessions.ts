// Sessions of coding agents as agents are told of them: those of GET /v1/agent-sessions.

import type { z } from 'zod'
import type { Caller } from '../../core/caller.ts'
import type { ApiServices } from '../api-options.ts'
import { readFactNames } from '../known-names.ts'
import { agentSessionPageSchema } from '../sessions/session-contract.ts'
import type { AgentSession, sessionParametersSchema } from '../sessions/session-contract.ts'
import { toSessionQuery } from '../sessions/session-query.ts'
import type { ToolAnswer } from './mcp-silent-nodes.ts'

export async function listSessions(
  given: z.output<typeof sessionParametersSchema>,
  { services, token }: { readonly services: ApiServices; readonly token: Caller },
): Promise<ToolAnswer> {
  const nowMs = services.clock.now()
  const names = await readFactNames(services, token)
  const text = await services.questions.writeSessions(toSessionQuery(given, nowMs), names, nowMs)
  const page = agentSessionPageSchema.parse(JSON.parse(text))
  const { rows, sessions, total, next_cursor: cursor } = page
  const lines = [
    ...(rows.length === 0 ? ['No session matches.'] : rows.map(toLine)),
    `${sessions} sessions in all, together ${total.cost_usd} USD in ${total.requests} calls.`,
    ...(cursor === null ? [] : [`There are more: ask again with cursor ${cursor}.`]),
  ]
  return { structured: page, text: lines.join('\n') }
}

function toLine(row: AgentSession): string {
  const facts = [
    `${row.started_at} to ${row.last_at}`,
    `key ${row.api_key}`,
    ...(row.team === null ? [] : [`team ${JSON.stringify(row.team)}`]),
    ...(row.person === null ? [] : [`of ${row.person}`]),
    ...(row.repository === null ? [] : [`in ${JSON.stringify(row.repository)}`]),
    `${row.requests} calls, ${row.cost_usd} USD`,
    `${row.subagents.requests} calls of subagents, ${row.subagents.cost_usd} USD`,
    `${row.retries.requests} retried, ${row.failed.requests} failed, ${row.aborted.requests} aborted, ${row.denied} denied`,
  ]
  return `- ${JSON.stringify(row.session)} of ${JSON.stringify(row.tool ?? 'no tool')}: ${facts.join('; ')}`
}
