// Creates an access token: what it may do, and for how long. Then shows it, once, with a first
// question to ask.

import { Button, Checkbox, Group, Stack, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { CreatedTokenAnswer } from '../../../../src/api/contract.ts'
import { isKeyName, NAME_CHARS_MAX } from '../../../../src/core/key-rules.ts'
import { toExpiresAt } from '../../data/expiry.ts'
import type { Expiry } from '../../data/expiry.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import type { Scope } from '../../data/session.ts'
import { createMcpSettings, createUsageCurl } from './token-snippets.ts'
import { SCOPE_WORDS, useCreateToken } from './tokens.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { closeOnce, OnceDialog } from '../../ui/forms/once-dialog.tsx'
import { useUnsaved } from '../../ui/forms/use-unsaved.ts'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'
import { ExpiryField } from '../keys/expiry-field.tsx'

export interface CreateTokenProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CreateToken({ isOpen, onClose }: CreateTokenProps) {
  const create = useCreateToken()
  const made = create.data
  const close = (): void => closeOnce(create, onClose)
  return (
    <OnceDialog
      isOpen={isOpen}
      onClose={close}
      size={made === undefined ? 'lg' : 'xl'}
      title={made === undefined ? 'Create an access token' : `Token ${made.name}`}
      hasSecret={made !== undefined}
    >
      {made === undefined ? (
        <CreateTokenForm create={create} onCancel={close} />
      ) : (
        <TokenSecret made={made} onKept={close} />
      )}
    </OnceDialog>
  )
}

interface CreateTokenFormProps {
  readonly create: ReturnType<typeof useCreateToken>
  readonly onCancel: () => void
}

interface OwnFaults {
  readonly name?: string
  readonly scopes?: string
  readonly expires_at?: string
}

const FIELDS = ['name', 'scopes', 'expires_at'] as const
const WORDS = {
  name: { text: `Enter a name of at most ${NAME_CHARS_MAX} characters, in one line.` },
  scopes: { text: 'Choose at least one.' },
  expires_at: { text: 'Choose a day that is still to come.' },
}
const FIRST_SCOPES: readonly Scope[] = ['read:usage']
const FIRST_EXPIRY: Expiry = { choice: '90', day: '' }

function CreateTokenForm({ create, onCancel }: CreateTokenFormProps) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState(FIRST_SCOPES)
  const [expiry, setExpiry] = useState(FIRST_EXPIRY)
  const [own, setOwn] = useState<OwnFaults>({})
  useUnsaved(name !== '' || scopes !== FIRST_SCOPES || expiry !== FIRST_EXPIRY)
  const refusal = toFormRefusal(create.error, FIELDS, WORDS)
  const faults = { ...refusal.fields, ...own }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const expiresAt = toExpiresAt(expiry, Date.now())
    const found = {
      ...(isKeyName(name.trim()) ? {} : { name: WORDS.name.text }),
      ...(scopes.length === 0 ? { scopes: WORDS.scopes.text } : {}),
      ...(expiresAt === undefined ? { expires_at: WORDS.expires_at.text } : {}),
    }
    setOwn(found)
    if (expiresAt === undefined || Object.keys(found).length > 0) return
    create.mutate({ name, scopes: [...scopes], expires_at: expiresAt })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Which program uses it."
          placeholder="finance-dashboard"
          autoComplete="off"
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faults.name}
        />
        <ScopesField value={scopes} onChange={setScopes} error={faults.scopes} />
        <ExpiryField value={expiry} onChange={setExpiry} error={faults.expires_at} />
      </Stack>
      <FormEnd
        error={refusal.rest}
        action="Create token"
        isPending={create.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

interface ScopesFieldProps {
  readonly value: readonly Scope[]
  readonly onChange: (value: readonly Scope[]) => void
  readonly error: string | undefined
}

/** Full access needs no other scope. */
function ScopesField({ value, onChange, error }: ScopesFieldProps) {
  const isAll = value.includes('admin')
  const choose = (chosen: string[]): void => {
    onChange(SCOPE_WORDS.map(({ scope }) => scope).filter((scope) => chosen.includes(scope)))
  }
  return (
    <Checkbox.Group
      label="Scopes"
      description="As few as possible: anyone who has the token can use it."
      value={[...value]}
      onChange={choose}
      error={error}
    >
      <Stack gap="sm" mt="sm">
        {SCOPE_WORDS.map(({ scope, label, description }) => (
          <Checkbox
            key={scope}
            value={scope}
            label={label}
            description={description}
            {...(isAll && scope !== 'admin' ? { disabled: true, checked: true } : {})}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface TokenSecretProps {
  readonly made: CreatedTokenAnswer
  readonly onKept: () => void
}

function TokenSecret({ made, onKept }: TokenSecretProps) {
  const subject = { url: window.location.origin, token: made.token }
  return (
    <Stack gap="lg">
      <SecretOnce title="The token is ready" label="the new token" secret={made.token} />
      <div>
        <Title order={3} mb="xs">
          Ask what this month cost
        </Title>
        <CodeBlock label="the question with curl" text={createUsageCurl(subject)} />
      </div>
      <div>
        <Title order={3} mb="xs">
          Let an agent ask (MCP)
        </Title>
        <CodeBlock label="the settings for an agent" text={createMcpSettings(subject)} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onKept}>I have saved it</Button>
      </Group>
    </Stack>
  )
}
