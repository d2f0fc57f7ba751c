// A list that is read from the API: why it could not be, or its rows in a table; and below the rows
// of one that has more, how much is shown, and a button for the next page.

import { Fault } from './fault.tsx'
import { DataTable } from './data-table.tsx'
import type { DataTableProps } from './data-table.tsx'
import { Panel } from './panel.tsx'
import type { PanelProps } from './panel.tsx'
import { Button, Text } from '@mantine/core'

interface ListQuery extends Partial<PagedQuery> {
  readonly error: Error | null
  readonly refetch: () => unknown
}

export interface ListPanelProps<Row>
  extends Omit<DataTableProps<Row>, 'hasFailed'>, Omit<PanelProps, 'isFlush' | 'children'> {
  readonly query: ListQuery
  /** `120 of 10,000 keys`, of a list by pages. */
  readonly shown?: string
}

export function ListPanel<Row>(props: ListPanelProps<Row>) {
  const { query, shown, heading, description, actions, ...table } = props
  const { error, refetch } = query
  const hasRows = table.rows !== undefined && table.rows.length > 0
  return (
    <>
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      <Panel heading={heading} description={description} actions={actions} isFlush>
        <DataTable {...table} hasFailed={error !== null} />
        {shown !== undefined && hasRows && <Pager text={shown} query={query} />}
      </Panel>
    </>
  )
}

/** A list by pages. */
export interface PagedQuery {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => unknown
}

export interface PagerProps {
  /** `120 of 10,000 keys` */
  readonly text: string
  readonly query: Partial<PagedQuery>
}

export function Pager({ text, query }: PagerProps) {
  return (
    <div className="pager">
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
      {query.hasNextPage === true && (
        <Button
          variant="default"
          size="xs"
          loading={query.isFetchingNextPage === true}
          onClick={() => query.fetchNextPage?.()}
        >
          Load more
        </Button>
      )}
    </div>
  )
}
