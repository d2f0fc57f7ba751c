// GET /v1/usage. The order of the checks is part of the contract: caller, rate, scope, parameters, catalogue, and
// only then the scope that a breakdown by key needs.

import type { Context, MiddlewareHandler } from 'hono'
import { WeirError } from '../../core/weir-error.ts'
import type { ApiServices } from '../api-options.ts'
import { identify, requireScope } from '../authorize.ts'
import { checkQueryScope, parseUsageQuery } from './parse-usage-query.ts'
import type { RateState } from '../rate-limit.ts'

const RATE = 'rate'

export async function answerUsage(context: Context, services: ApiServices): Promise<Response> {
  const { clock, usageSnapshots } = services
  const caller = await identify(context, services, 'read:usage')
  const isToken = caller.kind === 'token'
  const rate = (isToken ? services.rateLimit : services.sessionRateLimit).take(caller.id)
  context.set(RATE, rate)
  if (!rate.isAllowed) throw tooMany(rate, isToken ? 'This token has' : 'You have')
  requireScope(caller, 'read:usage')
  const nowMs = clock.now()
  const query = parseUsageQuery(new URL(context.req.url).searchParams, nowMs)
  checkQueryScope(query, caller)
  const { body, validUntil } = await usageSnapshots.read(query)
  const leftSeconds = Math.max(0, Math.floor((validUntil - clock.now()) / 1000))
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': `private, max-age=${leftSeconds}`,
    // Else a browser would answer a caller who is wrong, or may not ask this, from what it kept of another.
    Vary: 'Authorization, Cookie',
  }
  return context.body(body, 200, headers)
}

export function tooMany({ limit, resetSeconds }: RateState, who = 'This token has'): WeirError {
  return new WeirError(
    'rate_limited',
    `${who} asked ${limit} times within a minute. Ask again in ${resetSeconds} s.`,
  )
}

/** On every answer behind the token's check, refusals too: whoever asks can see how much is left. */
export const tellRate: MiddlewareHandler = async (context, next) => {
  await next()
  const rate = context.get(RATE) as RateState | undefined
  if (rate === undefined) return
  for (const [name, value] of Object.entries(listRateHeaders(rate))) context.header(name, value)
  if (!rate.isAllowed) context.header('Retry-After', String(rate.resetSeconds))
}

function listRateHeaders({ limit, remaining, resetSeconds }: RateState): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  }
}
