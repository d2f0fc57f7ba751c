// A snapshot as an answer that browsers may cache while it is valid.

import type { Context } from 'hono'
import type { UsageAnswer } from './usage-snapshots.ts'

export function snapshotResponse(
  context: Context,
  { body, validUntil }: Pick<UsageAnswer, 'body' | 'validUntil'>,
  nowMs: number,
): Response {
  const leftSeconds = Math.max(0, Math.floor((validUntil - nowMs) / 1000))
  return context.body(body, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': `private, max-age=${leftSeconds}`,
    // Otherwise a browser would answer another, perhaps unauthorized, caller from its cache.
    Vary: 'Authorization, Cookie',
  })
}
