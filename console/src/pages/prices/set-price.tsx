// Sets one of the operator's own prices: for which model, how much, from when.

import { Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ChangedMeanwhileBody, PriceRuleAnswer } from '../../../../src/api/contract.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { meanwhileOf } from '../../data/meanwhile.ts'
import {
  findPriceFaults,
  PRICE_FIELDS,
  PRICE_WORDS,
  toNewPrice,
  toPricePlace,
  toRulePlace,
} from './price-draft.ts'
import type { PriceDraft, PriceFaults } from './price-draft.ts'
import { toRuleWords } from './price-words.ts'
import { priceRulesQuery, useSetPrice } from './prices.ts'
import { infoQuery } from '../../data/service.ts'
import { ChangedMeanwhile } from '../../ui/forms/changed-meanwhile.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { useUnsaved } from '../../data/unsaved.ts'
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
    <FormDialog isOpen={draft !== null} onClose={onClose} size="lg" title="Set a price">
      {draft !== null && <SetPriceForm first={draft} onClose={onClose} />}
    </FormDialog>
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
  const replaced = useReplaced(draft)
  useUnsaved(draft !== first)
  const [own, setOwn] = useState<PriceFaults>({})
  const refusal = toFormRefusal(set.error, PRICE_FIELDS, PRICE_WORDS)
  const faults = { ...refusal.fields, ...own }
  const change = (part: Partial<PriceDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = findPriceFaults(draft)
    setOwn(found)
    if (Object.keys(found).length > 0) return
    const onSuccess = (rule: PriceRuleAnswer): void => {
      onClose()
      notifications.show({ message: `Price of ${rule.model} set.` })
    }
    const request = { body: toNewPrice(draft), over: replaced.known?.version ?? null }
    set.mutate(request, { onError: replaced.onRefused, onSuccess })
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
      {replaced.known !== null && (
        <ChangedMeanwhile
          title="This model has a price from then on"
          changes={replaced.known.changes}
          conflicts={[
            {
              field: 'price',
              label: 'Price',
              theirs: replaced.known.theirs,
              yours: toDraftWords(draft),
            },
          ]}
          onKeepTheirs={onClose}
        />
      )}
      <FormEnd
        error={replaced.known === null ? refusal.rest : null}
        action={replaced.known === null ? 'Set price' : 'Save yours over it'}
        isPending={set.isPending}
        onCancel={onClose}
      />
    </form>
  )
}

function toDraftWords(draft: PriceDraft): string {
  const { rates = null, multiplier = null } = toNewPrice(draft)
  return toRuleWords({ rates, multiplier })
}

interface Replaced {
  readonly place: string
  readonly version: number
  readonly changes: ChangedMeanwhileBody['changes']
  readonly theirs: string
}

/** The price that the draft would replace, once the API has said that there is one. */
function useReplaced(draft: PriceDraft) {
  const client = useQueryClient()
  const [found, setFound] = useState<Replaced | null>(null)
  const place = toPricePlace(draft)
  const look = async ({ version, changes }: ChangedMeanwhileBody): Promise<void> => {
    const { rows } = await client.fetchQuery({ ...priceRulesQuery, staleTime: 0 })
    const rule = rows.find((each) => toRulePlace(each) === place)
    setFound(rule === undefined ? null : { place, version, changes, theirs: toRuleWords(rule) })
  }
  return {
    // Another model or date is another price.
    known: found?.place === place ? found : null,
    onRefused: (error: Error): void => {
      const meanwhile = meanwhileOf(error)
      // Where it cannot be read, the refusal itself is shown.
      if (meanwhile !== null) void look(meanwhile).catch(() => undefined)
    },
  }
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
