// What the calls of the log come to, in words. Must stay true: figures of a part are not shown as
// those of the whole.

import type { RequestSummaryAnswer } from '../../../../src/api/contract.ts'
import { formatCount, formatCounted } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'

export function toSummaryWords(summary: RequestSummaryAnswer) {
  const { requests, denied, unpriced, cost_usd: cost, is_complete: isComplete } = summary
  const figures = [toCountWords(requests, denied), formatUsd(Number(cost))]
  const more = isComplete ? figures : figures.map((figure) => `more than ${figure}`)
  const text = more.join(', ')
  const notes = [
    ...(unpriced === 0 ? [] : [`${formatCounted(unpriced, 'call')} without a known cost.`]),
    ...(isComplete ? [] : ['Only the newest calls were counted; choose a shorter time.']),
  ]
  return { text: text.replace(/^m/, 'M'), note: notes.join(' ') }
}

/** Denied calls are in no figure, so they are in no count: `3,907 calls, and 3 denied`. */
export function toCountWords(requests: number, denied: number): string {
  const counted = formatCounted(requests, 'call')
  return denied === 0 ? counted : `${counted}, and ${formatCount(denied)} denied`
}
