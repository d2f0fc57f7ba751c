// A form of the screens before sign-in: its inputs, why it was refused, and its one button.

import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactElement } from 'react'
import type { SessionAnswer } from '../../../../src/api/contract.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { toAttemptFault } from './sign-in-words.ts'

interface TextPart {
  readonly name: 'name' | 'email'
  readonly label: string
  readonly description?: string
  readonly autoComplete: string
}

interface PasswordPart {
  readonly name: 'password'
  readonly label: string
  readonly description?: string
  readonly autoComplete: 'current-password' | 'new-password'
}

export const PASSWORD: PasswordPart = {
  name: 'password',
  label: 'Password',
  autoComplete: 'current-password',
}
export const NEW_PASSWORD: PasswordPart = {
  ...PASSWORD,
  description: 'At least 12 characters. A sentence works well.',
  autoComplete: 'new-password',
}

type Values = Readonly<Record<'name' | 'email' | 'password', string>>
const EMPTY: Values = { name: '', email: '', password: '' }

/** The mutation that signs in. */
interface Beginning {
  readonly error: Error | null
  readonly isPending: boolean
}

export interface EntranceFormProps {
  /** The first has the focus. */
  readonly parts: readonly (TextPart | PasswordPart)[]
  readonly beginning: Beginning
  readonly onSend: (
    values: Values,
    then: {
      readonly onError: (error: Error) => void
      readonly onSuccess: (session: SessionAnswer) => void
    },
  ) => void
  readonly onSignedIn: (session: SessionAnswer) => void
  readonly action: string
}

export function EntranceForm(props: EntranceFormProps): ReactElement {
  const { parts, beginning, onSend, onSignedIn, action } = props
  const form = useForm({ mode: 'uncontrolled', initialValues: EMPTY })
  const names = parts.map(({ name }) => name)
  const { rest } = toFormRefusal(beginning.error, names)
  const submit = form.onSubmit((values) => {
    const onError = (error: Error): void => form.setErrors(toFormRefusal(error, names).fields)
    onSend(values, { onError, onSuccess: onSignedIn })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {parts.map((part, place) => {
          const shared = { autoFocus: place === 0, ...form.getInputProps(part.name) }
          const key = form.key(part.name)
          return part.name === 'password' ? (
            <PasswordField key={key} {...part} {...shared} />
          ) : (
            <TextInput
              key={key}
              type={part.name === 'email' ? 'email' : 'text'}
              required
              withAsterisk={false}
              {...part}
              {...shared}
            />
          )
        })}
      </Stack>
      <FormFault error={rest === null ? null : toAttemptFault(rest)} />
      <Button type="submit" fullWidth mt="lg" loading={beginning.isPending}>
        {action}
      </Button>
    </form>
  )
}
