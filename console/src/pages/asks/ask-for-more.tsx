// Asks the leads of a team for more than a limit: of a key's budget, or in words.

import { Select, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { keyBudgetsQuery } from '../../data/keys.ts'
import { useUnsaved } from '../../data/unsaved.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { isOwnLimit, toLimitWords, useMakeAsk } from './asks.ts'

export interface AskForMoreProps {
  /** Of whoever asks, each in a team. */
  readonly keys: readonly KeyRow[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AskForMore({ keys, isOpen, onClose }: AskForMoreProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Ask for more">
      <AskForm keys={keys} onClose={onClose} />
    </FormDialog>
  )
}

const OTHER = 'other'

function AskForm({ keys, onClose }: Omit<AskForMoreProps, 'isOpen'>) {
  const [chosenKey, setKey] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const keyId = chosenKey ?? keys[0]?.id ?? ''
  const { data } = useQuery({ ...keyBudgetsQuery(keyId), enabled: keyId !== '' })
  const { mutate, error, isPending } = useMakeAsk()
  useUnsaved(amount !== '' || note !== '')
  const limits = (data?.rows ?? []).filter(isOwnLimit)
  const limit = chosen ?? limits[0]?.id ?? OTHER
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const words = note.trim() !== '' && { note: note.trim() }
    const more = { kind: 'budget', budget_id: limit, amount_usd: amount.trim() } as const
    const what = limit === OTHER ? ({ kind: 'limit' } as const) : more
    const onSuccess = (): void => {
      notifications.show({ message: 'The leads of your team are asked.' })
      onClose()
    }
    mutate({ ...what, key_id: keyId, ...words }, { onSuccess })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Select
          label="Key"
          data={keys.map(({ id, name }) => ({ value: id, label: name }))}
          value={keyId}
          onChange={(id) => {
            setKey(id)
            setChosen(null)
          }}
          allowDeselect={false}
        />
        <Select
          label="Limit"
          data={[
            ...limits.map((row) => ({ value: row.id, label: toLimitWords(row) })),
            { value: OTHER, label: 'Another limit, such as its models or calls per minute' },
          ]}
          value={limit}
          onChange={setChosen}
          allowDeselect={false}
        />
        {limit !== OTHER && (
          <TextInput
            label="What it should be, in USD"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        )}
        <TextInput
          label="Note"
          description={limit === OTHER ? 'What you need, and why.' : 'Why you need it.'}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </Stack>
      <FormEnd error={error} action="Ask" isPending={isPending} onCancel={onClose} />
    </form>
  )
}
