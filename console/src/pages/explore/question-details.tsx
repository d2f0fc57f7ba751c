// What narrows a question: which dimension, which month, how many rows, which key. Each is shown
// only where it applies, since the API refuses it elsewhere.

import { Autocomplete, NumberInput, Select } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { isBreakdown, isByDim } from './explore-catalogue.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { LIMIT_DEFAULT, MONTHS_DEFAULT, toParts } from './explore-question.ts'
import type { ExploreKnowledge } from './explore-question.ts'
import type { ExploreSearch } from './explore-search.ts'
import { formatMonth } from '../../data/format-time.ts'
import { useCan } from '../../data/session.ts'
import { FilterBar } from '../../ui/forms/filter-bar.tsx'
import { KeySelect } from '../keys/key-select.tsx'

export interface QuestionDetailsProps {
  readonly search: ExploreSearch
  readonly knowledge: ExploreKnowledge
  readonly onChange: (part: ExploreSearch) => void
}

const TYPING_MS = 400
const MONTHS_MAX = 24
/** How many months back can be chosen; an address may name an older one. */
const MONTHS_OFFERED = 36
const LIMITS = [5, 10, 20, 50, 100, 1000] as const

export function QuestionDetails({ search, knowledge, onChange }: QuestionDetailsProps) {
  const canReadKeys = useCan('read:keys')
  const { metric, grouping, window } = toParts(search)
  const hasKey = metric === 'cost_usd' && canReadKeys
  const isByMonth = window === 'month'
  const isSeries = window === 'monthly_series'
  if (!hasKey && !isByDim(grouping) && !isByMonth && !isBreakdown(grouping)) return null
  return (
    <FilterBar label="Filter the question">
      {isByDim(grouping) && (
        <DimKeyInput
          // A change from elsewhere, such as the back button, is shown at once.
          key={search.dim_key}
          given={search.dim_key ?? ''}
          dimKeys={knowledge.dimKeys}
          onChange={(dim_key) => onChange({ dim_key })}
        />
      )}
      {isByMonth && (
        <Select
          label="Month"
          data={toMonthChoices(knowledge.asOf, search.month)}
          value={search.month ?? null}
          allowDeselect={false}
          searchable
          onChange={(month) => onChange({ month: month ?? undefined })}
        />
      )}
      {isSeries && (
        <NumberInput
          label="Months"
          min={1}
          max={MONTHS_MAX}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          w="7rem"
          value={search.months ?? MONTHS_DEFAULT}
          onChange={(months) => {
            if (typeof months === 'number' && months >= 1) onChange({ months })
          }}
        />
      )}
      {isBreakdown(grouping) && (
        <Select
          label={isSeries ? 'Providers (max)' : 'Rows (max)'}
          data={toLimitChoices(search.limit)}
          value={String(search.limit ?? LIMIT_DEFAULT)}
          allowDeselect={false}
          w="11rem"
          onChange={(limit) => onChange({ limit: Number(limit) })}
        />
      )}
      {hasKey && <KeySelect value={search.api_key} onChange={(api_key) => onChange({ api_key })} />}
    </FilterBar>
  )
}

interface DimKeyInputProps {
  readonly given: string
  readonly dimKeys: readonly string[]
  readonly onChange: (dimKey: string | undefined) => void
}

function DimKeyInput({ given, dimKeys, onChange }: DimKeyInputProps) {
  const [text, setText] = useState(given)
  const report = useDebouncedCallback((value: string) => {
    const key = value.trim()
    onChange(key === '' ? undefined : key)
  }, TYPING_MS)
  return (
    <Autocomplete
      label="Dimension"
      placeholder="team"
      data={[...dimKeys]}
      value={text}
      spellCheck={false}
      onChange={(value) => {
        setText(value)
        report(value)
      }}
    />
  )
}

function toMonthChoices(asOf: string, chosen: string | undefined) {
  const months = Array.from({ length: MONTHS_OFFERED }, (_, back) => toMonthBefore(asOf, back))
  const all = chosen === undefined || months.includes(chosen) ? months : [...months, chosen]
  return all.map((month) => ({ value: month, label: formatMonth(`${month}-01`) }))
}

function toLimitChoices(chosen: number | undefined): string[] {
  const limits = new Set([...LIMITS, chosen ?? LIMIT_DEFAULT])
  return [...limits].toSorted((one, other) => one - other).map(String)
}
