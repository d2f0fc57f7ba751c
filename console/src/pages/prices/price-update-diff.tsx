// What newer price data would change: in money of the last days, rate by rate, and which models.

import { Stack, Text } from '@mantine/core'
import type { PriceUpdateAnswer } from '../../../../src/api/contract.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatExactUsd, formatUsd } from '../../data/format-usd.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toBeforeWords, toCorrectionGroups, toUnitName } from './price-words.ts'

export interface PriceUpdateDiffProps {
  readonly answer: PriceUpdateAnswer
}

type Rate = PriceUpdateAnswer['changed_rates'][number]
type Impact = NonNullable<PriceUpdateAnswer['impact']>
type Sum = Impact['by_model'][number]
type Model = PriceUpdateAnswer['added_models'][number]

const MAX_HEIGHT = '14rem'
const toUsd = (usd: string | null): string => (usd === null ? 'none' : formatExactUsd(usd))

function ModelCell({ provider, model }: Model) {
  return (
    <>
      <span className="price-model">{model}</span>
      <span className="cell-under">{provider}</span>
    </>
  )
}

const RATE_COLUMNS: readonly TableColumn<Rate>[] = [
  { id: 'model', header: 'Model', cell: (row) => <ModelCell {...row} /> },
  {
    id: 'unit',
    header: 'Rate',
    cell: (row) => (
      <>
        {toUnitName(row.unit)}
        <span className="cell-under">{row.tier}</span>
      </>
    ),
  },
  {
    id: 'before',
    header: 'Before',
    align: 'right',
    cell: (row) => toUsd(row.before_usd),
    amount: (row) => toUsd(row.before_usd),
  },
  {
    id: 'after',
    header: 'After',
    align: 'right',
    cell: (row) => toUsd(row.after_usd),
    amount: (row) => toUsd(row.after_usd),
  },
  {
    id: 'large',
    header: 'Note',
    cell: (row) => row.is_large && <StatusBadge tone="warning">Large change</StatusBadge>,
  },
]

const SUM_COLUMNS: readonly TableColumn<Sum>[] = [
  { id: 'model', header: 'Model', cell: (row) => <ModelCell {...row} /> },
  { id: 'calls', header: 'Calls', align: 'right', cell: (row) => formatCount(row.calls) },
  {
    id: 'before',
    header: 'Before',
    align: 'right',
    cell: (row) => toBeforeWords(row.before_usd),
    amount: (row) => toBeforeWords(row.before_usd),
  },
  {
    id: 'after',
    header: 'After',
    align: 'right',
    cell: (row) => formatUsd(Number(row.after_usd)),
    amount: (row) => formatUsd(Number(row.after_usd)),
  },
]

export function PriceUpdateDiff({ answer }: PriceUpdateDiffProps) {
  const { impact, changed_rates: rates } = answer
  return (
    <Stack gap="md">
      {impact !== null && <ImpactTable impact={impact} />}
      {rates.length > 0 && (
        <DataTable
          caption="Rates that change, in USD"
          columns={RATE_COLUMNS}
          rows={rates}
          rowKey={(row) => JSON.stringify([row.provider, row.model, row.tier, row.unit])}
          empty={null}
          maxHeight={MAX_HEIGHT}
        />
      )}
      <Models title="New models" rows={answer.added_models} total={answer.added} />
      <Models
        title="Models without a price then"
        rows={answer.removed_models}
        total={answer.removed}
      />
      {toCorrectionGroups(answer.corrections).map(({ title, models, total }) => (
        <Models key={title} title={title} rows={models} total={total} />
      ))}
    </Stack>
  )
}

function ImpactTable({ impact }: { readonly impact: Impact }) {
  const how = impact.is_estimate ? ', projected from a part of them' : ''
  return (
    <>
      <Text>
        The calls of the last {impact.days} days{how}: {formatUsd(Number(impact.before_usd))}{' '}
        before, {formatUsd(Number(impact.after_usd))} after. Recorded calls keep their cost.
      </Text>
      {impact.by_model.length > 0 && (
        <DataTable
          caption={`Cost of the last ${impact.days} days by model`}
          columns={SUM_COLUMNS}
          rows={impact.by_model}
          rowKey={(row) => JSON.stringify([row.provider, row.model])}
          empty={null}
          maxHeight={MAX_HEIGHT}
        />
      )}
    </>
  )
}

interface ModelsProps {
  readonly title: string
  readonly rows: readonly Model[]
  readonly total: number
}

const NAMES_SHOWN_MAX = 30

function Models({ title, rows, total }: ModelsProps) {
  if (total === 0) return null
  const names = rows.slice(0, NAMES_SHOWN_MAX).map(({ provider, model }) => `${provider}/${model}`)
  const more = total - names.length
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <Text size="sm" truncate>
        {names.join(', ')}
        {more > 0 && ` and ${formatCount(more)} more`}
      </Text>
    </div>
  )
}
