// A snapshot as an answer that its asker may keep for as long as it is valid.

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
    // Else a browser would answer a caller who is wrong, or may not ask this, from what it kept of
    // another.
    Vary: 'Authorization, Cookie',
  })
}
