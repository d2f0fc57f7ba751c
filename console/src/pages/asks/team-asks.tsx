// Who in a team asks for more, and the answer of a lead or of whoever sets budgets.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AskRow, TeamAnswer } from '../../../../src/api/contract.ts'
import { useCan, useSession } from '../../data/session.ts'
import { useUnsaved } from '../../data/unsaved.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { toAskColumns } from './ask-columns.tsx'
import { asksQuery, toAskWords, useAnswerAsk } from './asks.ts'
import type { Act } from './asks.ts'

export function TeamAsks({ team }: { readonly team: TeamAnswer }) {
  const query = useQuery(asksQuery(team.id))
  const canDecide = useCan('write:budgets')
  const ownId = useSession()?.user.id
  const [asked, setAsked] = useState<AskRow | null>(null)
  const decide = {
    id: 'decide',
    header: <span className="unseen">Answer</span>,
    align: 'right',
    cell: (row: AskRow) =>
      row.status === 'open' &&
      row.person_id !== ownId && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Answer ${row.person}`}
          onClick={() => setAsked(row)}
        >
          Answer
        </Button>
      ),
  } as const
  const columns = toAskColumns('Who', ({ person, key }) =>
    key === null ? person : `${person}, ${key}`,
  )
  return (
    <>
      <ListPanel
        query={query}
        heading="Asks"
        description="Who asks for more than a limit of theirs, and what they were answered."
        caption={`Asks in ${team.name}`}
        columns={canDecide ? [...columns, decide] : columns}
        rows={query.data?.rows}
        rowKey={(row) => row.id}
        lines={2}
        expected={1}
        empty={<EmptyState title="Nobody asks for more">Members ask under My keys.</EmptyState>}
      />
      <FormDialog isOpen={asked !== null} onClose={() => setAsked(null)} title="More than a limit">
        {asked !== null && <AnswerForm key={asked.id} row={asked} onClose={() => setAsked(null)} />}
      </FormDialog>
    </>
  )
}

interface AnswerProps {
  readonly row: AskRow
  readonly onClose: () => void
}

function AnswerForm({ row, onClose }: AnswerProps) {
  const first = row.amount_usd === null ? '' : String(row.amount_usd)
  const [amount, setAmount] = useState(first)
  const [note, setNote] = useState('')
  const { mutate, error, isPending } = useAnswerAsk(row.id)
  useUnsaved(note !== '' || amount !== first)
  const answer = (act: Act): void => {
    const limit = act === 'approve' && row.kind === 'budget' && { amount_usd: amount.trim() }
    const words = note.trim() !== '' && { note: note.trim() }
    const onSuccess = ({ person, status }: AskRow): void => {
      notifications.show({ message: `What ${person} asked for is ${status}.` })
      onClose()
    }
    mutate({ act, body: { ...limit, ...words } }, { onSuccess })
  }
  return (
    <Stack gap="md">
      <Text>
        {row.person}: {toAskWords(row)}
      </Text>
      {row.note !== null && <Text c="dimmed">{row.note}</Text>}
      {row.kind === 'budget' && (
        <TextInput
          label="Limit in USD"
          description="Less or more than was asked for, within what the team has."
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
      )}
      <TextInput
        label="Note"
        description="Shown to them with the answer."
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <FormFault error={error} />
      <Group justify="flex-end">
        <Button variant="default" disabled={isPending} onClick={() => answer('decline')}>
          Decline
        </Button>
        <Button loading={isPending} onClick={() => answer('approve')}>
          Approve
        </Button>
      </Group>
    </Stack>
  )
}
