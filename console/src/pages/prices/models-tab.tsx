// What models cost now, at the standard tier. A chosen model shows its history beside the list.

import { Alert, Skeleton, Select, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ModelPrice, PriceDataAnswer } from '../../../../src/api/contract.ts'
import { formatCounted, formatShown } from '../../data/format-count.ts'
import { formatDate } from '../../data/format-time.ts'
import type { PricesSearch } from '../../data/page-search.ts'
import { SourcesDiffer } from './price-differences.tsx'
import {
  fromSubjectText,
  toLastUpdateWords,
  toRateCell,
  toSourceWords,
  toSubjectText,
} from './price-words.ts'
import { modelPricesQuery } from './prices.ts'
import { toHref } from '../../data/search-values.ts'
import { infoQuery } from '../../data/service.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar } from '../../ui/forms/filter-bar.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { PriceHistory } from './price-history.tsx'

export interface ModelsTabProps {
  readonly search: PricesSearch
  readonly onChange: (change: PricesSearch) => void
}

const toRateColumn = (unit: string, header: string): TableColumn<ModelPrice> => ({
  id: unit,
  header,
  align: 'right',
  isWideOnly: unit === 'cache_read',
  cell: (row) => <RateCell text={toRateCell(row.rates, unit)} />,
  amount: (row) => toRateCell(row.rates, unit)?.replace(MORE, '') ?? null,
})

const COLUMNS: readonly TableColumn<ModelPrice>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: (row) => (
      <>
        <span className="price-model">{row.model}</span>
        <span className="cell-under">{row.provider}</span>
        {row.differs.length > 0 && (
          <span className="phone-only">
            <SourcesDiffer />
          </span>
        )}
      </>
    ),
  },
  toRateColumn('input', 'Input'),
  toRateColumn('cache_read', 'Cached input'),
  toRateColumn('output', 'Output'),
  {
    id: 'since',
    header: 'Since',
    isWideOnly: true,
    cell: (row) => (row.since === null ? '' : formatDate(row.since.slice(0, 10))),
  },
  { id: 'source', header: 'From', isWideOnly: true, cell: (row) => <Source row={row} /> },
]

/** A rate with steps. The mark stands beside the column, so that amounts stay aligned. */
const MORE = ' +'

function RateCell({ text }: { readonly text: string | null }) {
  if (text === null) return <NoRate />
  return text.endsWith(MORE) ? (
    <>
      {text.slice(0, -MORE.length)}
      <span className="price-more">{MORE}</span>
    </>
  ) : (
    text
  )
}

function NoRate() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="unseen">no separate rate</span>
    </>
  )
}

function Source({ row }: { readonly row: ModelPrice }) {
  return (
    <span className="price-source">
      {row.is_override && <StatusBadge tone="accent">Your price</StatusBadge>}
      {row.is_free && <StatusBadge tone="good">Free</StatusBadge>}
      {row.sources.length > 0 && <span>{toSourceWords(row.sources)}</span>}
      {row.differs.length > 0 && <SourcesDiffer />}
    </span>
  )
}

export function ModelsTab({ search, onChange }: ModelsTabProps) {
  const query = useInfiniteQuery(modelPricesQuery(search))
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const last = query.data?.pages.at(-1)
  return (
    <>
      {last === undefined ? <Skeleton h="1lh" w="60%" /> : <PriceAge data={last.price_data} />}
      <ModelFilters search={search} onChange={onChange} />
      <ListPanel
        query={query}
        caption="Models and their rates in USD per million tokens"
        columns={COLUMNS}
        rows={rows}
        rowKey={toSubjectText}
        rowHref={(row) => toHref('/prices', { ...search, model: toSubjectText(row) })}
        empty={
          <EmptyState title="No matching models">
            Try a shorter search or another provider. Models without a price are under Missing.
          </EmptyState>
        }
        shown={`${formatShown(rows?.length ?? 0, last?.total ?? 0, 'model')}, in USD per million tokens. +: higher for long input.`}
      />
      <PriceHistory
        subject={fromSubjectText(search.model)}
        onClose={() => onChange({ model: undefined })}
      />
    </>
  )
}

function PriceAge({ data }: { readonly data: PriceDataAnswer }) {
  const { version, published_at: publishedAt, age_days: days, imported_by: importedBy } = data
  const imported = importedBy === null ? '' : `, imported by ${importedBy}`
  const words = `Price list ${version}${imported}, published ${formatDate(publishedAt.slice(0, 10))}, ${formatCounted(days, 'day')} old. ${toLastUpdateWords(data)}`
  if (!data.is_old && !data.is_import_outdated) {
    return (
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    )
  }
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="The price list may be out of date">
      {words}{' '}
      {data.is_import_outdated
        ? 'The list that came with Weir is newer than the imported one and comes before it. To remove the imported one: weir prices unset imported.'
        : 'Check for newer prices, or import a newer list: weir prices import. Your own prices still apply.'}
    </Alert>
  )
}

function ModelFilters({ search, onChange }: ModelsTabProps) {
  const { data: info } = useQuery(infoQuery)
  const known = new Set([...(info?.providers ?? []), search.provider ?? ''])
  const clear = (): void => onChange({ search: undefined, provider: undefined })
  const count = [search.search, search.provider].filter((value) => value !== undefined).length
  return (
    <FilterBar
      label="Filter the models"
      count={count}
      onClear={clear}
      search={
        <SearchField
          placeholder="Model name"
          value={search.search}
          onChange={(text) => onChange({ search: text })}
        />
      }
    >
      <Select
        label="Provider"
        placeholder="Any"
        data={[...known].filter((id) => id !== '')}
        value={search.provider ?? null}
        onChange={(provider) => onChange({ provider: provider ?? undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any provider' }}
      />
    </FilterBar>
  )
}
