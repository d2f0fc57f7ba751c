// The end of a list that has more: how much is shown, of how many, and a button for the next page.

import { Button, Text } from '@mantine/core'

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
