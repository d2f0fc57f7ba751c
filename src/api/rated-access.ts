// Access with a rate limit. The order is part of the contract: caller, rate, scope. Every answer
// after the caller's check says how much is left.

import type { MiddlewareHandler } from 'hono'
import type { TokenScope } from '../core/api-key.ts'
import type { Caller } from '../core/caller.ts'
import { WeirError } from '../core/weir-error.ts'
import { withScope } from './access.ts'
import type { ApiServices } from './api-options.ts'
import type { Access } from './access.ts'
import { identify, requireScope } from './authorize.ts'
import type { RateLimit, RateState } from './rate-limit.ts'

const RATE = 'rate'

/** `limitOf`: what a token's questions are counted by. */
export function withRatedScope(
  scope: TokenScope,
  limitOf: (services: ApiServices) => RateLimit = ({ rateLimit }) => rateLimit,
): Access<Caller> & { readonly around: MiddlewareHandler } {
  return {
    ...withScope(scope),
    check: async (context, services) => {
      const caller = await identify(context, services, scope)
      // The machine's own commands are not counted.
      if (caller.kind === 'command') return caller
      const isToken = caller.kind === 'token'
      const limit = isToken ? limitOf(services) : services.sessionRateLimit
      const rate = await limit.take(caller.id)
      context.set(RATE, rate)
      if (!rate.isAllowed) throw tooMany(rate, isToken ? 'This token has' : 'You have')
      requireScope(caller, scope)
      return caller
    },
    around: sendRate,
  }
}

export function tooMany({ limit, resetSeconds }: RateState, who = 'This token has'): WeirError {
  return new WeirError(
    'rate_limited',
    `${who} asked ${limit} times within a minute. Ask again in ${resetSeconds} s.`,
  )
}

const sendRate: MiddlewareHandler = async (context, next) => {
  await next()
  const rate = context.get(RATE) as RateState | undefined
  if (rate === undefined) return
  context.header('RateLimit-Limit', String(rate.limit))
  context.header('RateLimit-Remaining', String(rate.remaining))
  context.header('RateLimit-Reset', String(rate.resetSeconds))
  if (!rate.isAllowed) context.header('Retry-After', String(rate.resetSeconds))
}
