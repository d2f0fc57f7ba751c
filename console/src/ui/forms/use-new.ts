// The state of a form for something new: what was typed, what is wrong with it, and sending it.

import { useState } from 'react'
import type { FormEvent } from 'react'
import type { Fields, WireOf } from '../../../../src/resources/field.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import type { FaultsOf, FieldForm } from '../../data/forms/field-form.ts'
import { useUnsaved } from '../../data/unsaved.ts'

export interface NewOptions<Of extends Fields> {
  /** Left out: empty. */
  readonly first?: DraftOf<Of>
  /** Why the API refused it. */
  readonly error: Error | null
  readonly onSend: (body: WireOf<Of>) => void
}

export function useNew<const Of extends Fields>(form: FieldForm<Of>, options: NewOptions<Of>) {
  const { error, onSend } = options
  const [first] = useState(options.first ?? form.empty)
  const [draft, setDraft] = useState(first)
  const [own, setOwn] = useState<FaultsOf<Of>>({})
  useUnsaved(draft !== first)
  const refusal = toFormRefusal(error, form.names, form.wordsOf(draft))
  return {
    fields: {
      draft,
      onChange: (part: Partial<DraftOf<Of>>) => setDraft((before) => ({ ...before, ...part })),
      faults: { ...refusal.fields, ...own } as FaultsOf<Of>,
    },
    /** A refusal that belongs to no field. */
    rest: refusal.rest,
    /** `canSend`: whether what is beside the fields is right. */
    submit: (event: FormEvent, canSend = true): void => {
      event.preventDefault()
      const found = form.findFaults(draft)
      setOwn(found)
      if (canSend && Object.keys(found).length === 0) onSend(form.toBody(draft, Date.now()))
    },
  }
}
