// How budgets are shown.

import type { Budget } from '../../../client/weir-client.js'
import { isPlainTerminal } from '../../config/config.ts'
import { describeSecrets } from '../alerts/new-targets.ts'
import type { Shown } from '../command.ts'
import { formatShare } from '../../api/usage/format-share.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatColumns, toColumn } from '../table.ts'
import { alignAmounts, alignRight, formatCount, formatUsd } from '../usage/usage-amounts.ts'
import { formatBar } from '../usage/usage-bars.ts'

const NAME_CHARS_MAX = 30
const SCOPE_CHARS_MAX = 40
const BAR_CELLS = 10

/** With the secrets of targets that were just made. */
export function showBudget(budget: Budget, headline: string): Shown {
  const table = formatBudgets([budget], isPlainTerminal())
  const text = [headline, table, ...describeSecrets(budget.targets)].join('\n')
  return { json: budget, text }
}

export function formatBudgets(rows: readonly Budget[], isPlain: boolean): string {
  const columnOf = (heading: string, toCell: (row: Budget) => string) =>
    toColumn(heading, rows, toCell)
  const columns = [
    columnOf('ID', ({ id }) => id),
    columnOf('NAME', ({ name }) => cutCell(toPrintable(name), NAME_CHARS_MAX)),
    columnOf('SCOPE', (row) => cutCell(toPrintable(toScopeWords(row)), SCOPE_CHARS_MAX)),
    columnOf('PERIOD', ({ period }) => period),
    alignAmounts(columnOf('SPENT', (row) => formatUsd(row.spent_usd))),
    alignAmounts(columnOf('OF USD', (row) => formatUsd(row.limit_usd))),
    alignRight(columnOf('USED', (row) => formatPercent(row.spent_percent))),
    columnOf('', (row) => formatBar(row.spent_percent, { max: 100, width: BAR_CELLS, isPlain })),
    alignAmounts(columnOf('FORECAST', formatForecast)),
    columnOf('AT 100 %', describeEnd),
    columnOf('TARGETS', describeTargets),
  ]
  return [formatColumns(columns), ...warnUnpriced(rows)].join('\n')
}

/** A team and a person by name. */
function toScopeWords({ scope, scope_name: name, each }: Budget): string {
  const words = name === null ? scope : `${scope.slice(0, scope.indexOf('='))}=${name}`
  return each === 'none' ? words : `each ${each}, ${words}`
}

export const formatPercent = (percent: number): string => formatShare(percent / 100)

function formatForecast({ forecast_usd: forecast }: Budget): string {
  return forecast === null ? '' : formatUsd(forecast)
}

function describeEnd({ unknown_cost_usd: unknown, members, ...row }: Budget): string {
  if (members !== null) {
    const counts = `${formatCount(members.over)} over, ${formatCount(members.near)} near`
    return `${row.blocking ? 'block' : 'alert'} (${counts})`
  }
  if (!row.blocking) return row.is_exceeded ? 'alert (over)' : 'alert'
  return row.spent_usd + (unknown ?? 0) >= row.limit_usd ? 'block (now)' : 'block'
}

/** `2 webhook, 1 email`. */
function describeTargets({ targets }: Budget): string {
  const counts = new Map<string, number>()
  for (const { kind } of targets) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'none'
}

function warnUnpriced(rows: readonly Budget[]): string[] {
  const gaps = rows.filter((row) => row.unpriced_requests > 0)
  if (gaps.length === 0) return []
  return [
    '',
    ...gaps.map((row) => {
      const name = cutCell(toPrintable(row.name), NAME_CHARS_MAX)
      const count = row.unpriced_requests
      const calls = count === 1 ? '1 call has' : `${formatCount(count)} calls have`
      const unknown = row.unknown_cost_usd
        ? ` Until then they count as ${formatUsd(row.unknown_cost_usd)} USD.`
        : ''
      return `Warning: ${row.id} (${name}) spent more than shown: ${calls} no price.${unknown}`
    }),
    'weir prices missing shows which models they used.',
  ]
}
