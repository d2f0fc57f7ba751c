// A snapshot as an answer that browsers may cache while it is valid.

import type { Context } from 'hono'
import type { Call } from '../define-route.ts'
import type { KeptQuestion, UsageAnswer } from './usage-snapshots.ts'

/** Of figures that change with every call. */
export const KEPT_MS = 60_000

type AnyCall = Pick<Call<unknown, unknown, unknown>, 'context' | 'services'>

/** `about` is all that the answer depends on. */
export function answerKept(
  call: AnyCall,
  about: readonly unknown[],
  read: (nowMs: number) => Promise<object>,
): Promise<Response> {
  const compute: KeptQuestion['compute'] = async (nowMs) => {
    return { text: JSON.stringify(await read(nowMs)), keptMs: KEPT_MS }
  }
  return answerQuestion(call, { name: JSON.stringify(about), compute })
}

export async function answerQuestion(
  { context, services }: AnyCall,
  question: KeptQuestion,
): Promise<Response> {
  const snapshot = await services.usageSnapshots.readKept(question)
  return snapshotResponse(context, snapshot, services.clock.now())
}

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
