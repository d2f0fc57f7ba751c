// Which models were used in the last 30 days, for lists that begin with them.

import type { Analysis } from './analysis-contract.ts'
import { endOfHour } from './analysis-span.ts'
import { toAnalysisQuery } from './to-analysis-query.ts'
import type { ApiServices } from '../api-options.ts'
import type { ModelUse } from '../prices/price-admin.ts'

const USED_MS = 30 * 86_400_000
const USED_MAX = 1000

/** The largest first; without calls of which no model is known. */
export async function readModelUse(
  { questions, clock }: Pick<ApiServices, 'questions' | 'clock'>,
  by: 'requests' | 'cost',
): Promise<readonly ModelUse[]> {
  const nowMs = clock.now()
  const toMs = endOfHour(nowMs)
  const span = { from: toMs - USED_MS, to: toMs }
  const query = toAnalysisQuery(
    { ...span, group_by: ['provider', 'model'], order_by: by, limit: USED_MAX },
    nowMs,
  )
  const text = await questions.writeAnalysis(query, new Map(), nowMs)
  return (JSON.parse(text) as Analysis).rows.flatMap(({ group, ...figures }) => {
    const [provider, model] = group.map(({ value }) => value)
    return provider == null || model == null ? [] : [{ ...figures, provider, model }]
  })
}
