// Sets one of the operator's own prices: for which model, how much, from when.

import { Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { findPriceFaults, PRICE_FIELDS, toNewPrice } from './price-draft.ts'
import type { PriceDraft, PriceFaults } from './price-draft.ts'
import { useSetPrice } from './prices.ts'
import { infoQuery } from '../../data/service.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { Pills } from '../../ui/forms/pills.tsx'
import { RateFields } from './rate-fields.tsx'
import type { PriceFieldsProps } from './rate-fields.tsx'

export interface SetPriceProps {
  /** What the form begins with; null while it is closed. */
  readonly draft: PriceDraft | null
  readonly onClose: () => void
}

export function SetPrice({ draft, onClose }: SetPriceProps) {
  return (
    <Modal
      opened={draft !== null}
      onClose={onClose}
      size="lg"
      title="Set a price"
      closeOnClickOutside={false}
    >
      {draft !== null && <SetPriceForm first={draft} onClose={onClose} />}
    </Modal>
  )
}

interface SetPriceFormProps {
  readonly first: PriceDraft
  readonly onClose: () => void
}

const FROM = [
  { value: 'now', label: 'Now' },
  { value: 'day', label: 'A date' },
] as const

function SetPriceForm({ first, onClose }: SetPriceFormProps) {
  const set = useSetPrice()
  const [draft, setDraft] = useState(first)
  const [own, setOwn] = useState<PriceFaults>({})
  const refusal = toFormRefusal(set.error, PRICE_FIELDS)
  const faults = { ...refusal.fields, ...own }
  const change = (part: Partial<PriceDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = findPriceFaults(draft)
    setOwn(found)
    if (Object.keys(found).length > 0) return
    set.mutate(toNewPrice(draft), {
      onSuccess: (rule) => {
        onClose()
        notifications.show({ message: `Price of ${rule.model} set.` })
      },
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <SubjectFields draft={draft} onChange={change} faults={faults} />
        <RateFields draft={draft} onChange={change} faults={faults} />
        <FromFields draft={draft} onChange={change} faults={faults} />
        <TextInput
          label="Note"
          description="Why, for later readers. Optional."
          placeholder="2026 contract"
          value={draft.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
          error={faults.note}
        />
      </Stack>
      <FormEnd
        error={refusal.rest}
        action="Set price"
        isPending={set.isPending}
        onCancel={onClose}
      />
    </form>
  )
}

function SubjectFields({ draft, onChange, faults }: PriceFieldsProps) {
  const { data: info } = useQuery(infoQuery)
  const known = new Set([...(info?.providers ?? []), draft.provider].filter((id) => id !== ''))
  return (
    <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
      <Select
        label="Provider"
        description="As in the proxy’s address."
        placeholder="Choose one"
        data={[...known]}
        searchable
        value={draft.provider === '' ? null : draft.provider}
        onChange={(value) => onChange({ provider: value ?? '' })}
        error={faults.provider}
      />
      <TextInput
        label="Model"
        description="* stands for any characters."
        placeholder="gpt-4o*"
        autoComplete="off"
        value={draft.model}
        onChange={(event) => onChange({ model: event.currentTarget.value })}
        error={faults.model}
      />
    </Group>
  )
}

function FromFields({ draft, onChange, faults }: PriceFieldsProps) {
  return (
    <div>
      <Group align="flex-start" gap="lg">
        <Pills
          label="Effective from"
          options={FROM}
          value={draft.from}
          onChoose={(from) => onChange({ from })}
        />
        {draft.from === 'day' && (
          <TextInput
            type="date"
            label="Date, from 00:00 UTC"
            value={draft.day}
            onChange={(event) => onChange({ day: event.currentTarget.value })}
            error={faults.effective_from}
          />
        )}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        It applies to calls that end from then on. Recorded calls keep their cost until they are
        repriced.
      </Text>
    </div>
  )
}
