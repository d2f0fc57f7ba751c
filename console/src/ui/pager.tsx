// The end of a list that has more: how much is shown, of how many, and a button for the next page.

import { Button, Text } from '@mantine/core'

export interface PagerProps {
  /** `120 of 10,000 keys` */
  readonly text: string
  readonly hasMore: boolean
  readonly isPending: boolean
  readonly onMore: () => void
}

export function Pager({ text, hasMore, isPending, onMore }: PagerProps) {
  return (
    <div className="pager">
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
      {hasMore && (
        <Button variant="default" size="xs" loading={isPending} onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  )
}
