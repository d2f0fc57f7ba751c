// What the calls of the log come to, in words. Must stay true: figures of a part are not shown as
// those of the whole.

import type { RequestSummaryAnswer } from '../../../../src/api/contract.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'

export function toSummaryWords(summary: RequestSummaryAnswer) {
  const { calls, denied, unpriced, cost_usd: cost, is_complete: isComplete } = summary
  const figures = [formatCounted(calls, 'call'), formatUsd(Number(cost))]
  const more = isComplete ? figures : figures.map((figure) => `more than ${figure}`)
  const text = more.join(', ')
  const notes = [
    ...(unpriced === 0 ? [] : [`${formatCounted(unpriced, 'call')} without a known cost.`]),
    ...(denied === 0 ? [] : [`${formatCounted(denied, 'call')} denied, which no figure includes.`]),
    ...(isComplete ? [] : ['Only the newest calls were counted; choose a shorter time.']),
  ]
  return { text: text.replace(/^m/, 'M'), note: notes.join(' ') }
}
