// The filters of the log. Each is a part of the address, and one that is set is always visible.

import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { KNOWLEDGE_WORDS, SOURCE_WORDS, STATUS_WORDS } from './call-words.ts'
import {
  fromInputMoment,
  RANGE_CHOICES,
  toInputMoment,
  toRangeChoice,
  toRangeSearch,
} from './request-range.ts'
import { CALL_STATUSES, COST_SOURCES, hasFilter, USAGE_KNOWLEDGE } from './requests-search.ts'
import type { RequestsSearch } from './requests-search.ts'
import { readZone } from '../../data/format-time.ts'
import { infoQuery, overviewQuery } from '../../data/service.ts'
import { FilterBar } from '../../ui/forms/filter-bar.tsx'
import { KeySelect } from '../keys/key-select.tsx'
import { FilterText } from './filter-text.tsx'

export interface RequestFiltersProps {
  readonly search: RequestsSearch
  /** What is undefined in it is dropped. */
  readonly onChange: (change: RequestsSearch) => void
  readonly onClear: () => void
}

const STATUS_OPTIONS = CALL_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value].label }))
const KNOWLEDGE_OPTIONS = USAGE_KNOWLEDGE.map((value) => ({
  value,
  label: KNOWLEDGE_WORDS[value],
}))
const SOURCE_OPTIONS = COST_SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] }))

export function RequestFilters({ search, onChange, onClear }: RequestFiltersProps): ReactElement {
  const { provider, source, usage, dim_key: dimKey } = search
  const isMoreSet = [provider, source, usage, dimKey].some((value) => value !== undefined)
  const [isOpen, setOpen] = useState(false)
  const isSet = hasFilter(search)
  const choice = toRangeChoice(search)
  return (
    <FilterBar label="Filter the requests" onClear={isSet ? onClear : undefined}>
      <Select
        label="Time"
        data={RANGE_CHOICES}
        value={choice}
        allowDeselect={false}
        onChange={(value) => value !== null && onChange(toRangeSearch(value, Date.now()))}
      />
      {choice === 'exact' && <ExactRange search={search} onChange={onChange} />}
      <KeySelect value={search.api_key} onChange={(id) => onChange({ api_key: id })} />
      <FilterText
        label="Model"
        placeholder="gpt-*"
        value={search.model}
        onChange={(model) => onChange({ model })}
      />
      <Select
        label="Status"
        placeholder="Any"
        clearable
        data={STATUS_OPTIONS}
        value={search.status ?? null}
        onChange={(value) => onChange({ status: value ?? undefined })}
      />
      {isOpen || isMoreSet ? (
        <MoreFilters search={search} onChange={onChange} />
      ) : (
        <Button variant="default" onClick={() => setOpen(true)}>
          More filters
        </Button>
      )}
    </FilterBar>
  )
}

type PartProps = Pick<RequestFiltersProps, 'search' | 'onChange'>

function ExactRange({ search, onChange }: PartProps) {
  return (
    <>
      <TextInput
        type="datetime-local"
        label={`From (${readZone()})`}
        value={toInputMoment(search.from)}
        onChange={({ currentTarget }) =>
          onChange({ from: fromInputMoment(currentTarget.value), to: search.to })
        }
      />
      <TextInput
        type="datetime-local"
        label={`To (${readZone()})`}
        value={toInputMoment(search.to)}
        onChange={({ currentTarget }) =>
          onChange({ from: search.from, to: fromInputMoment(currentTarget.value) })
        }
      />
    </>
  )
}

function MoreFilters({ search, onChange }: PartProps) {
  const { data: info } = useQuery(infoQuery)
  const { data: overview } = useQuery(overviewQuery)
  const { provider } = search
  // One that is no longer configured still has calls in the log.
  const providers = [...new Set([...(info?.providers ?? []), ...(provider ? [provider] : [])])]
  return (
    <>
      <Select
        label="Provider"
        placeholder="Any"
        clearable
        searchable
        data={providers}
        value={provider ?? null}
        onChange={(value) => onChange({ provider: value ?? undefined })}
      />
      <Select
        label="Cost"
        placeholder="Any source"
        clearable
        data={SOURCE_OPTIONS}
        value={search.source ?? null}
        onChange={(value) => onChange({ source: value ?? undefined })}
      />
      <Select
        label="Tokens"
        placeholder="Any"
        clearable
        data={KNOWLEDGE_OPTIONS}
        value={search.usage ?? null}
        onChange={(value) => onChange({ usage: value ?? undefined })}
      />
      <FilterText
        label="Dimension"
        placeholder="team"
        suggestions={overview?.dim_keys ?? []}
        value={search.dim_key}
        onChange={(key) => onChange({ dim_key: key, dim_value: key && search.dim_value })}
      />
      <FilterText
        label="Value"
        placeholder="Any"
        isDisabled={search.dim_key === undefined}
        value={search.dim_value}
        onChange={(value) => onChange({ dim_value: value })}
      />
    </>
  )
}
