// Where a row of Overview links to: the calls or figures that it is made of. Must stay true: the
// link shows the same time as the row.

import { toHref } from '../../data/search-values.ts'
import type { OverviewQuestion } from './overview-figures.ts'

/** The API's label for calls that name none: there is nothing to filter by. */
const UNKNOWN_LABEL = 'unknown'

export interface LinkedRow {
  readonly question: OverviewQuestion
  readonly label: string
  readonly asOf: string
}

/** Undefined where there is nothing behind the row. */
export function toRowHref({ question, label, asOf }: LinkedRow): string | undefined {
  // The month is still running: it has no end.
  const from = `${asOf.slice(0, 7)}-01`
  switch (question.dimension) {
    case 'provider':
      return toHref('/requests', { from, provider: label })
    case 'model':
      return label === UNKNOWN_LABEL ? undefined : toHref('/requests', { from, model: label })
    case 'api_key':
      return label === UNKNOWN_LABEL ? undefined : `/keys/${encodeURIComponent(label)}`
    case 'dim':
      return toHref('/requests', { from, dim_key: question.dim_key, dim_value: label })
  }
}
