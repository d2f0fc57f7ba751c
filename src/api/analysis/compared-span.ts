// Which span another one is compared with. The only place that decides it: Overview, analysis, the
// command line and agents ask here.

import { endOfHour, startOfMonth } from './analysis-span.ts'
import type { Span } from './analysis-span.ts'

/**
 * Whole months: as many months before. The running month: the month before to the same moment of
 * it, at most all of it. Any other span: as much time right before it as has passed of it.
 */
export function toComparedSpan({ fromMs, toMs }: Span, nowMs: number): Span {
  const passedMs = Math.min(toMs, endOfHour(nowMs)) - fromMs
  const equal = { fromMs: fromMs - passedMs, toMs: fromMs }
  if (fromMs !== startOfMonth(fromMs)) return equal
  if (toMs > nowMs) {
    if (fromMs !== startOfMonth(nowMs)) return equal
    const beforeMs = startOfMonth(fromMs - 1)
    return { fromMs: beforeMs, toMs: Math.min(beforeMs + (nowMs - fromMs), fromMs) }
  }
  if (toMs !== startOfMonth(toMs)) return equal
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const months =
    12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth()
  return { fromMs: Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - months), toMs: fromMs }
}
