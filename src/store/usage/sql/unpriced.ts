// Models whose cost is not known, from the rollups alone: the records may be many millions.

import type { Sql } from '../../sql/sql.ts'
import { toPeriodText } from './rebuild-words.ts'
import type { UnpricedModel } from '../usage-upkeep.ts'

/** More than anyone prices by hand; the smallest are left out. */
const MODELS_MAX = 10_000

// Finds the months by one seek each, then their rows of all keys together (id 0): otherwise the
// rows of every single key would be read too.
const SELECT_UNPRICED = `
  WITH RECURSIVE months (period) AS (
    SELECT MIN(period) FROM model_rollup
    UNION ALL
    SELECT (SELECT MIN(period) FROM model_rollup WHERE period > months.period)
    FROM months WHERE months.period IS NOT NULL
  )
  SELECT (SELECT name FROM names WHERE id = provider) AS provider,
    (SELECT name FROM names WHERE id = model) AS model,
    SUM(unpriced) AS requests, SUM(tokens) AS tokens, SUM(rollup.requests) AS every,
    MIN(rollup.period) AS first, MAX(rollup.period) AS last
  FROM months CROSS JOIN model_rollup AS rollup
  WHERE rollup.period = months.period AND rollup.key_id = 0 AND unpriced > 0
  GROUP BY rollup.provider, rollup.model
  ORDER BY requests DESC, tokens DESC, 1, 2
  LIMIT ?`

interface UnpricedRow {
  readonly provider: string
  readonly model: string
  readonly requests: number
  readonly tokens: number
  readonly every: number
  readonly first: number
  readonly last: number
}

export async function listUnpriced(sql: Sql): Promise<readonly UnpricedModel[]> {
  return (await sql.all<UnpricedRow>(SELECT_UNPRICED, [MODELS_MAX])).map(fromUnpricedRow)
}

function fromUnpricedRow(row: UnpricedRow): UnpricedModel {
  const { provider, model, requests, tokens, every, first, last } = row
  return {
    provider,
    model: model === '' ? null : model,
    requests,
    tokens,
    priced: every - requests,
    firstMonth: toPeriodText(first),
    lastMonth: toPeriodText(last),
  }
}
