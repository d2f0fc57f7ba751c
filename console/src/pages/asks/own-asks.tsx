// What whoever has signed in asked for, and the answers. Nothing where they never asked.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AskRow } from '../../../../src/api/contract.ts'
import { useSession } from '../../data/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { toAskColumns } from './ask-columns.tsx'
import { asksQuery, useAnswerAsk } from './asks.ts'

export function OwnAsks() {
  const query = useQuery(asksQuery())
  const ownId = useSession()?.user.id
  const rows = query.data?.rows.filter(({ person_id: id }) => id === ownId) ?? []
  if (rows.length === 0) return null
  const withdraw = {
    id: 'withdraw',
    header: <span className="unseen">Withdraw</span>,
    align: 'right',
    isWideOnly: true,
    cell: (row: AskRow) => row.status === 'open' && <Withdraw row={row} />,
  } as const
  return (
    <ListPanel
      query={query}
      heading="What you asked for"
      caption="What you asked for"
      columns={[...toAskColumns('For', ({ key, team }) => key ?? team ?? '–'), withdraw]}
      rows={rows}
      rowKey={(row) => row.id}
      lines={2}
      empty={<EmptyState title="Nothing yet">You asked for nothing.</EmptyState>}
    />
  )
}

function Withdraw({ row }: { readonly row: AskRow }) {
  const { mutate, isPending } = useAnswerAsk(row.id)
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isPending}
      onClick={() => mutate({ act: 'withdraw', body: {} })}
    >
      Withdraw
    </Button>
  )
}
