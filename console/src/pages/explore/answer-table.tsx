// The rows of an answer and their total. Each value is in data-value as the API sent it.

import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toAnalysisFileName, toTableCsv } from '../../../../src/api/analysis/analysis-csv.ts'
import { analysisQuery, toAnalysisCsvPath } from '../../data/analysis/analysis.ts'
import type { AnalysisAnswer, Figures, Row } from '../../data/analysis/analysis.ts'
import { toMeasure } from '../../data/analysis/measures.ts'
import { formatCount, formatCounted } from '../../data/format-count.ts'
import { toDimKey } from '../../data/analysis/fields.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Dropdown, DropdownItem } from '../../ui/dropdown.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toColumns } from './answer-columns.tsx'
import type { ShownRow } from './answer-columns.tsx'
import type { AnswerProps } from './explore-search.ts'
import { ANALYSIS_ORDERS } from '../../../../src/api/analysis/analysis-orders.ts'
import { toRowLinks } from './narrow.ts'
import { RowsSelect } from './question-form.tsx'

export function AnswerTable(props: AnswerProps) {
  const { label, search, question, onChange } = props
  const { order_by: order, group_by: groups } = question
  const measure = toMeasure(order)
  const { answer, error } = useRows(props)
  if (groups.length === 0) return null
  const rows = answer === undefined ? undefined : toShownRows(answer, props)
  const isSecond = rows?.some(({ links }) => links.first === 'calls') ?? false
  return (
    <Panel
      heading="Rows"
      description={
        rows === undefined
          ? undefined
          : `They add up to the total. A click on a row ${isSecond ? 'leads to its calls, most expensive first' : 'narrows to it'}.`
      }
      isFlush
      actions={
        <Group gap="xs" align="flex-end">
          <SearchField
            placeholder="Part of a name"
            value={search.search}
            onChange={(text) => onChange({ search: text })}
          />
          <RowsSelect question={question} onChange={onChange} />
          <CsvMenu {...props} answer={answer} />
        </Group>
      }
    >
      {error !== null && <Fault error={error} />}
      <DataTable
        caption={label}
        columns={toColumns({ groups, measure, answer })}
        rows={rows}
        hasFailed={error !== null}
        rowKey={({ row }) => JSON.stringify(row.group)}
        rowHref={({ links }) => links[links.first]}
        expected={Math.min(question.limit, 10)}
        empty={<EmptyState title="No row">Nothing has this in its name.</EmptyState>}
        order={{ columnId: order, direction: 'descending' }}
        onOrder={(id) => onChange({ order_by: ANALYSIS_ORDERS.find((each) => each === id) })}
      />
      <RowPages {...props} answer={answer} />
      {answer !== undefined && <UntaggedHelp answer={answer} />}
    </Panel>
  )
}

/** Other rows than the chart's are a question of their own; their total is the same question's. */
function useRows({ search, question, answer }: AnswerProps) {
  const { offset, search: sought } = search
  const isOther = offset !== undefined || sought !== undefined
  const rows = useQuery({
    ...analysisQuery({ ...question, interval: 'none', offset, search: sought }),
    enabled: isOther,
  })
  return isOther ? { answer: rows.data, error: rows.error } : { answer, error: null }
}

function CsvMenu({ question, answer }: AnswerProps) {
  const { interval, order_by: measure } = question
  const save = (shown: AnalysisAnswer): void => {
    const { group_by: fields, from, to } = shown
    saveText(
      toAnalysisFileName({ measure, fields, from, to }),
      toTableCsv(shown, toMeasure(measure)),
    )
  }
  return (
    <Dropdown
      button={(opens) => (
        <Button
          {...opens}
          size="xs"
          variant="default"
          leftSection={<DownloadIcon size={15} />}
          disabled={answer === undefined}
        >
          CSV
        </Button>
      )}
    >
      {answer !== undefined && (
        <>
          <DropdownItem onClick={() => save(answer)}>These rows</DropdownItem>
          {answer.groups > answer.rows.length && (
            <DropdownItem href={toAnalysisCsvPath(question, false)}>
              All {formatCounted(answer.groups, 'row')}
            </DropdownItem>
          )}
          {interval !== 'none' && (
            <DropdownItem href={toAnalysisCsvPath(question, true)}>
              All rows with every {interval} and figure
            </DropdownItem>
          )}
        </>
      )}
    </Dropdown>
  )
}

/** What to do about calls that carry no dimension. */
function UntaggedHelp({ answer }: { readonly answer: AnalysisAnswer }) {
  const members = answer.rows.flatMap(({ group }) => group)
  const untagged = members.find(({ field, kind }) => kind === 'none' && toDimKey(field) !== null)
  const key = untagged === undefined ? null : toDimKey(untagged.field)
  if (key === null) return null
  return (
    <details className="untagged-help">
      <summary>How calls get a {key}</summary>
      <p>
        Set it on their key, as a default or a fixed dimension, or require it there; send the header{' '}
        <code>X-SVC-Dims: {key}=…</code> with each call; or read it from the body of requests with
        the setting <code>dims.fromBody</code>. Calls that are recorded stay as they are.{' '}
        <TextLink href="/docs/dimensions.html" underline="always">
          More about dimensions
        </TextLink>
      </p>
    </details>
  )
}

/** `Rows 21 to 40 of 3,014` */
function RowPages({ search, question: { limit }, answer, onChange }: AnswerProps) {
  const { offset = 0, search: sought } = search
  if (answer === undefined || answer.groups <= limit) return null
  const last = Math.min(offset + limit, answer.groups)
  const goTo = (next: number): void => {
    onChange({ offset: next > 0 ? next : undefined, search: sought })
  }
  return (
    <div className="pager">
      <Text size="sm" c="dimmed" role="status">
        Rows {formatCount(offset + 1)} to {formatCount(last)} of {formatCount(answer.groups)}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={offset === 0}
          onClick={() => goTo(offset - limit)}
        >
          Previous rows
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={last === answer.groups}
          onClick={() => goTo(last)}
        >
          Next rows
        </Button>
      </Group>
    </div>
  )
}

function toShownRows(answer: AnalysisAnswer, place: AnswerProps): readonly ShownRow[] {
  const before = new Map<number, Figures>(
    answer.previous?.rows.map((figures) => [figures.row, figures]),
  )
  const shown = answer.rows.flatMap(({ group }) => group.slice(0, 1))
  return answer.rows.map((row: Row, index) => ({
    row,
    before: before.get(index) ?? null,
    links: toRowLinks(place, row.group, shown),
  }))
}

const CSV_TYPE = 'text/csv;charset=utf-8'

/** Saves a text that the page made as a file. It never leaves the browser. */
function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: CSV_TYPE }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
