// What models cost now, at the standard tier: those that are used first. A chosen model shows its
// history beside the list.

import { Alert, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type {
  ListedPrice,
  MissingPriceList,
  PriceDataAnswer,
  PricePage,
} from '../../../../src/api/contract.ts'
import { formatCount, formatCounted, formatShown } from '../../data/format-count.ts'
import { formatDate, formatTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import type { PricesSearch } from '../../data/page-search.ts'
import { SourcesDiffer } from './price-differences.tsx'
import {
  fromSubjectText,
  toLastUpdateWords,
  toRateCell,
  toSourceWords,
  toSubjectText,
} from './price-words.ts'
import { Mend } from './missing-tab.tsx'
import type { MendingProps } from './missing-tab.tsx'
import { missingQuery, modelPricesQuery } from './prices.ts'
import { toHref } from '../../data/search-values.ts'
import { infoQuery } from '../../data/service.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSelect } from '../../ui/forms/filter-bar.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { PriceHistory } from './price-history.tsx'

export interface ModelsTabProps extends MendingProps {
  readonly search: PricesSearch
  readonly onChange: (change: PricesSearch) => void
}

const toRateColumn = (unit: string, header: string): TableColumn<ListedPrice> => ({
  id: unit,
  header,
  align: 'right',
  isWideOnly: unit === 'cache_read',
  cell: (row) => <RateCell text={toRateCell(row.rates, unit)} />,
  amount: (row) => toRateCell(row.rates, unit)?.replace(MORE, '') ?? null,
})

const NAME_COLUMN: TableColumn<ListedPrice> = {
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
}

const COLUMNS: readonly TableColumn<ListedPrice>[] = [
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

/** As the API has them: what needs a price, what was used, and the rest by name. */
function toGroup({ used }: ListedPrice, page: PricePage | undefined): string {
  if (used === null) return 'Not used in the last 30 days'
  if (used.wants !== null) return 'Used without a price: no cost figure includes these calls'
  const asOf = page?.used_as_of ?? null
  return `Used in the last 30 days${asOf === null ? '' : `, as of ${formatTime(asOf)}`}`
}

const isUnpriced = ({ cost_usd: cost, unpriced }: NonNullable<ListedPrice['used']>): boolean =>
  cost === 0 && unpriced > 0

interface UsedProps {
  readonly used: ListedPrice['used']
  /** What to do. */
  readonly children: ReactNode
}

function Used({ used, children }: UsedProps) {
  if (used === null) return null
  const { cost_usd: cost, unpriced, requests } = used
  return (
    <>
      {isUnpriced(used) ? 'no price' : formatUsd(cost)}
      <span className="cell-under">
        {unpriced > 0 && unpriced < requests && `${formatCount(unpriced)} of `}
        {formatCounted(requests, 'call')}
      </span>
      {children}
    </>
  )
}

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

function Source({ row }: { readonly row: ListedPrice }) {
  return (
    <span className="price-source">
      {row.is_override && <StatusBadge tone="accent">Your price</StatusBadge>}
      {row.is_free && <StatusBadge tone="good">Free</StatusBadge>}
      {row.source === 'unpriced' &&
        row.used?.wants === null &&
        'Not listed; each call has its cost'}
      {row.sources.length > 0 && <span>{toSourceWords(row.sources)}</span>}
      {row.differs.length > 0 && <SourcesDiffer />}
    </span>
  )
}

function createUsedColumn(
  missing: MissingPriceList | undefined,
  mending: MendingProps,
): TableColumn<ListedPrice> {
  return {
    id: 'used',
    header: 'Last 30 days',
    align: 'right',
    amount: ({ used }) => (used === null || isUnpriced(used) ? null : formatUsd(used.cost_usd)),
    cell: (row) => (
      <Used used={row.used}>
        {missing?.rows
          .filter(({ provider, model }) => row.provider === provider && row.model === model)
          .map((each) => (
            <Mend key={each.model} row={each} {...mending} />
          ))}
      </Used>
    ),
  }
}

export function ModelsTab({ search, onChange, ...mending }: ModelsTabProps) {
  const query = useInfiniteQuery(modelPricesQuery(search))
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const last = query.data?.pages.at(-1)
  const { data: info } = useQuery(infoQuery)
  const known = search.provider === undefined ? [] : [search.provider]
  const providers = new Set([...(info?.providers ?? []), ...known])
  const isMissing = rows?.some(({ used }) => used?.wants != null) === true
  const { data: missing } = useQuery({ ...missingQuery, enabled: isMissing })
  return (
    <>
      {last === undefined ? <Skeleton h="1lh" w="60%" /> : <PriceAge data={last.price_data} />}
      <FilterBar
        label="Filter the models"
        search={search}
        filters={['search', 'provider']}
        typed={{ name: 'search', placeholder: 'Model name' }}
        onChange={onChange}
      >
        <FilterSelect
          label="Provider"
          options={[...providers].map((id) => ({ value: id, label: id }))}
          value={search.provider}
          onChange={(provider) => onChange({ provider })}
        />
      </FilterBar>
      <ListPanel
        query={query}
        caption="Models and their rates in USD per million tokens"
        columns={[NAME_COLUMN, createUsedColumn(missing, mending), ...COLUMNS]}
        rows={rows}
        lines={2}
        group={(row) => toGroup(row, last)}
        rowKey={toSubjectText}
        rowHref={(row) => toHref('/prices', { ...search, model: toSubjectText(row) })}
        empty={
          <EmptyState title="No matching models">
            Try a shorter search or another provider.
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
