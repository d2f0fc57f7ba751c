// What costs most this month by the chosen field, and what changed most.

import { Skeleton } from '@mantine/core'
import type { Overview, OverviewGroup } from '../../../../src/api/contract.ts'
import { toInnerFieldName, toMemberName } from '../../data/analysis/fields.ts'
import { nameSpan } from '../../data/analysis/span-name.ts'
import { formatUtcTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toHref } from '../../data/search-values.ts'
import { useCan } from '../../data/session.ts'
import { formatCost } from '../../data/unpriced.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { DownIcon, UpIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toChangeAmount, toChangeShare } from './format-change.ts'
import { toChangesHref, toGroupHref, toMoverHref } from './overview-links.ts'

export interface GroupsPanelProps {
  /** Undefined while it is loading. */
  readonly overview: Overview | undefined
}

const ROWS_EXPECTED = 8
const MOVERS_EXPECTED = 3

export function GroupsPanel({ overview }: GroupsPanelProps) {
  const { breakdown, asOf = '' } = overview ?? {}
  const by = toInnerFieldName(breakdown?.group_by ?? 'model')
  const heading = `This month by ${by}`
  const rows = breakdown?.rows.map(({ group, cost_usd: cost, unpriced }) => ({
    // No value begins so.
    id: group.value ?? `\u0000${group.kind}`,
    label: toMemberName(group),
    note: group.name === null ? undefined : (group.value ?? undefined),
    value: cost ?? 0,
    text: formatCost(cost ?? 0, unpriced > 0),
    href: toGroupHref(group, asOf),
  }))
  return (
    <Panel
      heading={heading}
      actions={
        <TextLink
          href={toHref('/explore', { range: 'this_month', group_by: breakdown?.group_by })}
          label={`Explore: ${heading}`}
        >
          Explore
        </TextLink>
      }
    >
      <BarList
        label={heading}
        rows={breakdown === null ? [] : rows}
        empty={
          breakdown === null
            ? `There are too many to list by ${by}.`
            : 'Nothing was spent this month.'
        }
        expected={ROWS_EXPECTED}
      />
    </Panel>
  )
}

export function MoversPanel({ overview }: GroupsPanelProps) {
  const { breakdown, comparison } = overview ?? {}
  const spans =
    comparison == null
      ? undefined
      : `${nameSpan(comparison)} against ${nameSpan({ from: comparison.before_from, to: comparison.before_to })}`
  return (
    <Panel
      heading="Largest changes"
      description={spans}
      actions={
        <TextLink
          href={toChangesHref(breakdown?.group_by ?? 'model')}
          label="Explore: largest changes"
        >
          Explore
        </TextLink>
      }
    >
      {overview === undefined ? (
        Array.from({ length: MOVERS_EXPECTED }, (_, place) => (
          <Skeleton key={place} h={44} mb={8} />
        ))
      ) : (
        <Movers overview={overview} />
      )}
    </Panel>
  )
}

function Movers({ overview }: { readonly overview: Overview }) {
  const canReadKeys = useCan('read:keys')
  const movers = overview.breakdown?.movers ?? null
  if (movers === null) return <p className="quiet">{describeNoMovers(overview)}</p>
  if (movers.length === 0) return <p className="quiet">Nothing costs more or less than before.</p>
  return (
    <ol className="overview-movers" aria-label="Largest changes">
      {movers.map((mover) => (
        <Mover
          key={`${mover.group.kind} ${mover.group.value}`}
          mover={mover}
          trend={toTrend(overview, mover.group)}
          href={toMoverHref(mover.group, canReadKeys)}
        />
      ))}
    </ol>
  )
}

function toTrend({ breakdown }: Overview, { kind, value }: OverviewGroup['group']) {
  const { groups, costs } = breakdown?.days ?? { groups: [], costs: [] }
  const place = groups.findIndex((group) => group.kind === kind && group.value === value)
  return place === -1 ? undefined : costs.map((day) => day[place] ?? 0)
}

interface MoverProps {
  readonly mover: OverviewGroup
  /** Its last 30 days, where they are known. */
  readonly trend: readonly number[] | undefined
  readonly href: string | undefined
}

function Mover({ mover, trend, href }: MoverProps) {
  const { group, cost_usd: now, before_cost_usd: before } = mover
  const isMore = (now ?? 0) > (before ?? 0)
  const name = toMemberName(group)
  return (
    <li>
      <span className="overview-mover">
        {href === undefined ? name : <TextLink href={href}>{name}</TextLink>}
        <span className="quiet">
          {formatUsd(before ?? 0)} → {formatUsd(now ?? 0)}
        </span>
      </span>
      <span className="overview-trend" title="Cost per day, last 30 days">
        {trend !== undefined && <Sparkline values={trend} />}
      </span>
      <span
        className={`stat-change ${isMore ? 'stat-up' : 'stat-down'}`}
        data-figure="mover"
        data-label={group.value}
        data-value={(now ?? 0) - (before ?? 0)}
      >
        {isMore ? <UpIcon size={13} /> : <DownIcon size={13} />}
        {toChangeAmount({ now, before }, formatUsd)}
        <span className="overview-share">{toChangeShare({ now, before })}</span>
      </span>
    </li>
  )
}

/** Why nothing can be named. */
export function describeNoMovers({ comparison, breakdown }: Overview): string {
  if (comparison === null) return 'Nothing of last month is on record to compare with.'
  if (comparison.recorded_from !== null) {
    return `Weir’s first call was on ${formatUtcTime(comparison.recorded_from)} UTC: last month is not whole enough to say what changed.`
  }
  return breakdown === null
    ? 'There are too many groups to compare.'
    : 'Single calls of last month are no longer kept, so its days are not known by group.'
}
