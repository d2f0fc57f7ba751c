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
import { CALL_STATUSES, COST_SOURCES, countFilters, USAGE_KNOWLEDGE } from './requests-search.ts'
import type { RequestsSearch } from './requests-search.ts'
import { useUserNames } from '../../data/known-names.ts'
import { readZone } from '../../data/format-time.ts'
import { infoQuery, overviewQuery } from '../../data/service.ts'
import { toDimField, toNoneName } from '../../data/analysis/fields.ts'
import { ChosenFilter, FilterBar, FilterSelect } from '../../ui/forms/filter-bar.tsx'
import { KeysSelect } from '../keys/keys-select.tsx'
import { TeamSelect } from '../keys/team-select.tsx'
import { FilterChoices, FilterText, FilterTexts } from './filter-inputs.tsx'
import { useCallKeyNames } from './requests.ts'

export interface RequestFiltersProps {
  readonly search: RequestsSearch
  /** What is undefined in it is dropped. */
  readonly onChange: (change: RequestsSearch) => void
}

const STATUS_OPTIONS = CALL_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value].label }))
const KNOWLEDGE_OPTIONS = USAGE_KNOWLEDGE.map((value) => ({
  value,
  label: KNOWLEDGE_WORDS[value],
}))
const SOURCE_OPTIONS = COST_SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] }))

/** The filters that are folded while none of them is set. */
const MORE = [
  'provider',
  'source',
  'usage',
  'dim_key',
  'http_status',
  'error_code',
  'min_duration_ms',
  'max_duration_ms',
  'streamed',
] as const
const REQUEST_FILTERS = [
  ...MORE,
  'range',
  'from',
  'to',
  'api_key',
  'team',
  'person',
  'model',
  'status',
  'dim_value',
  'without_dim',
  'id',
] as const
const STREAMED = [
  { value: 'true', label: 'Streamed' },
  { value: 'false', label: 'Not streamed' },
] as const

export function RequestFilters({ search, onChange }: RequestFiltersProps): ReactElement {
  const { api_key: keyIds = [] } = search
  const isMoreSet = MORE.some((name) => search[name] !== undefined)
  const [isOpen, setOpen] = useState(false)
  const keyNames = useCallKeyNames(keyIds)
  const users = useUserNames(search.person !== undefined)
  const toPeople = (ids: readonly string[]) => ids.map((id) => users.get(id) ?? id).join(' or ')
  const choice = toRangeChoice(search)
  return (
    <FilterBar
      label="Filter the requests"
      search={search}
      filters={REQUEST_FILTERS}
      count={countFilters(search)}
      typed={{ name: 'id', placeholder: 'ID of a request, generation or key' }}
      onChange={onChange}
    >
      <Select
        label="Time"
        data={RANGE_CHOICES}
        value={choice}
        allowDeselect={false}
        onChange={(value) => value !== null && onChange(toRangeSearch(value, Date.now()))}
      />
      {choice === 'exact' && <ExactRange search={search} onChange={onChange} />}
      <KeysSelect
        value={keyIds}
        names={keyNames}
        onChange={(ids) => onChange({ api_key: ids.length === 0 ? undefined : ids })}
      />
      <TeamSelect
        none="All teams"
        value={search.team?.[0]}
        onChange={(id) => onChange({ team: id === undefined ? id : [id] })}
      />
      <ChosenFilter
        text={search.person && `Person ${toPeople(search.person)}`}
        onRemove={() => onChange({ person: undefined })}
      />
      <FilterTexts
        label="Model"
        placeholder="gpt-*"
        value={search.model}
        onChange={(model) => onChange({ model })}
      />
      <FilterChoices
        label="Status"
        none="Any"
        options={STATUS_OPTIONS}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
      <ChosenFilter
        text={search.without_dim && toNoneName(toDimField(search.without_dim))}
        onRemove={() => onChange({ without_dim: undefined })}
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

function ExactRange({ search, onChange }: RequestFiltersProps) {
  return (
    <>
      <TextInput
        type="datetime-local"
        label={`Ended from (${readZone()})`}
        value={toInputMoment(search.from)}
        onChange={({ currentTarget }) =>
          onChange({ from: fromInputMoment(currentTarget.value), to: search.to })
        }
      />
      <TextInput
        type="datetime-local"
        label={`Ended before (${readZone()})`}
        value={toInputMoment(search.to)}
        onChange={({ currentTarget }) =>
          onChange({ from: search.from, to: fromInputMoment(currentTarget.value) })
        }
      />
    </>
  )
}

function MoreFilters({ search, onChange }: RequestFiltersProps) {
  const { data: info } = useQuery(infoQuery)
  const { data: overview } = useQuery(overviewQuery)
  const { provider = [] } = search
  // One that is no longer configured still has calls in the log.
  const providers = [...new Set([...(info?.providers ?? []), ...provider])]
  return (
    <>
      <AnswerFilters search={search} onChange={onChange} />
      <FilterChoices
        label="Provider"
        none="Any"
        options={providers.map((value) => ({ value, label: value }))}
        value={search.provider}
        onChange={(chosen) => onChange({ provider: chosen })}
      />
      <FilterChoices
        label="Cost"
        none="Any source"
        options={SOURCE_OPTIONS}
        value={search.source}
        onChange={(source) => onChange({ source })}
      />
      <FilterChoices
        label="Tokens"
        none="Any"
        options={KNOWLEDGE_OPTIONS}
        value={search.usage}
        onChange={(usage) => onChange({ usage })}
      />
      <FilterText
        label="Dimension"
        placeholder="team"
        suggestions={overview?.dim_keys ?? []}
        value={search.dim_key}
        onChange={(key) =>
          onChange({ dim_key: key, dim_value: key === undefined ? key : search.dim_value })
        }
      />
      <FilterTexts
        label="Value"
        placeholder="Any"
        isDisabled={search.dim_key === undefined}
        value={search.dim_value}
        onChange={(value) => onChange({ dim_value: value })}
      />
    </>
  )
}

/** How a call was answered, and how soon. */
function AnswerFilters({ search, onChange }: RequestFiltersProps) {
  return (
    <>
      <FilterTexts
        label="HTTP status"
        placeholder="429 or 4xx"
        value={search.http_status}
        onChange={(status) => onChange({ http_status: status })}
      />
      <FilterTexts
        label="Error code"
        placeholder="rate_limit_exceeded"
        value={search.error_code}
        onChange={(code) => onChange({ error_code: code })}
      />
      <FilterText
        label="Took at least (ms)"
        placeholder="Any"
        value={search.min_duration_ms}
        onChange={(min) => onChange({ min_duration_ms: min })}
      />
      <FilterText
        label="Took at most (ms)"
        placeholder="Any"
        value={search.max_duration_ms}
        onChange={(max) => onChange({ max_duration_ms: max })}
      />
      <FilterSelect
        label="Response"
        options={STREAMED}
        value={search.streamed}
        onChange={(streamed) => onChange({ streamed })}
      />
    </>
  )
}
