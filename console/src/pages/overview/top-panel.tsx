// The largest five of something this month, each with a link to what it is made of.

import type { ReactNode } from 'react'
import { toDimField } from '../../data/analysis/fields.ts'
import { toRowHref } from './row-links.ts'
import { TOP_COUNT } from './overview-figures.ts'
import type { OverviewQuestion } from './overview-figures.ts'
import { toHref } from '../../data/search-values.ts'
import { formatCost, useUnpriced } from '../../data/unpriced.ts'
import type { UsageAnswer } from '../../data/usage.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AsOfMark } from './as-of-mark.tsx'

export interface TopPanelProps {
  readonly heading: string
  readonly question: OverviewQuestion
  readonly answer: UsageAnswer | undefined
  readonly empty: ReactNode
  /** Replaces labels that are ids. */
  readonly names?: ReadonlyMap<string, string>
  /** Between heading and list. */
  readonly children?: ReactNode
}

export function TopPanel(props: TopPanelProps) {
  const { heading, question, answer, empty, names, children } = props
  const isUnpriced = useUnpriced(question, answer?.asOf)
  const rows = answer?.rows.map((row) => {
    const name = names?.get(row.label)
    return {
      id: row.label,
      label: name ?? row.label,
      note: name === undefined ? undefined : row.label,
      value: row.value,
      text: formatCost(row.value, isUnpriced(row)),
      href: toRowHref({ question, label: row.label, asOf: answer.asOf }),
    }
  })
  return (
    <Panel
      heading={heading}
      actions={
        <>
          <TextLink
            href={toHref('/explore', { range: 'this_month', group_by: toField(question) })}
            label={`Explore: ${heading}`}
          >
            Explore
          </TextLink>
          <AsOfMark asOf={answer?.asOf} />
        </>
      }
    >
      {children}
      <BarList label={heading} rows={rows} empty={empty} expected={TOP_COUNT} />
    </Panel>
  )
}

/** As Explore groups by it. */
function toField(question: OverviewQuestion): string {
  return question.dimension === 'dim' ? toDimField(question.dim_key) : question.dimension
}
