// One target that is being edited: its kind and its address.

import { TextInput } from '@mantine/core'
import type { NewTarget } from '../../../../src/api/contract.ts'
import { TARGET_KIND_NAMES } from '../../data/alerts/alert-words.ts'
import type { FieldWords } from '../../data/form-refusal.ts'
import { Pills } from '../../ui/forms/pills.tsx'

export interface TargetFieldsProps {
  readonly target: NewTarget
  readonly onChange: (target: NewTarget) => void
  readonly error?: string | undefined
}

/** What the API says of an address names the remedy, and belongs to the field. */
export const TARGET_WORDS: FieldWords = { match: /target|e-mail/i }

/** Beside an address that is empty. */
export const NOWHERE = 'Enter where alerts are sent.'

/** As it is sent. */
export function toTrimmed(target: NewTarget): NewTarget {
  return { ...target, address: target.address.trim() }
}

const OPTIONS = (['webhook', 'slack', 'email'] as const).map((value) => ({
  value,
  label: TARGET_KIND_NAMES[value],
}))

interface AddressWords {
  readonly label: string
  readonly description: string
  readonly placeholder: string
}

const WORDS: Readonly<Record<NewTarget['kind'], AddressWords>> = {
  webhook: {
    label: 'URL',
    description: 'Receives a signed POST with JSON. Its secret is shown once, when it is created.',
    placeholder: 'https://example.com/weir',
  },
  slack: {
    label: 'Incoming webhook URL',
    description: 'Receives a message in the webhook’s channel.',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  email: {
    label: 'Email address',
    description:
      'Needs a mail server in the configuration (alerts.smtp); without one it is refused.',
    placeholder: 'finance@example.com',
  },
}

export function TargetFields({ target, onChange, error }: TargetFieldsProps) {
  const words = WORDS[target.kind]
  return (
    <>
      <Pills
        label="Send alerts by"
        options={OPTIONS}
        value={target.kind}
        onChoose={(kind) => onChange({ ...target, kind })}
      />
      <TextInput
        {...words}
        type={target.kind === 'email' ? 'email' : 'url'}
        autoComplete="off"
        value={target.address}
        onChange={(event) => onChange({ ...target, address: event.currentTarget.value })}
        error={error}
      />
    </>
  )
}
