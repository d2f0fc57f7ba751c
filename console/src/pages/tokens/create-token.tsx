// Creates an access token: what it may do, and for how long. Then shows it, once, with a first
// question to ask.

import { Button, Checkbox, Group, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { CreatedTokenAnswer } from '../../../../src/api/contract.ts'
import { TOKEN_FIELDS } from '../../../../src/resources/token.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import { createFieldForm } from '../../data/forms/field-form.ts'
import type { FaultsOf } from '../../data/forms/field-form.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { createMcpSettings, createUsageCurl } from './token-snippets.ts'
import { SCOPE_WORDS, useCreateToken } from './tokens.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { closeOnce, OnceDialog } from '../../ui/forms/once-dialog.tsx'
import { useUnsaved } from '../../ui/forms/use-unsaved.ts'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'

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

const FORM = createFieldForm(TOKEN_FIELDS)
const NEW_TOKEN: TokenDraft = {
  ...FORM.empty,
  scopes: ['read:usage'],
  expires_at: { choice: '90', day: '' },
}

type TokenDraft = DraftOf<typeof TOKEN_FIELDS>

function CreateTokenForm({ create, onCancel }: CreateTokenFormProps) {
  const [draft, setDraft] = useState(NEW_TOKEN)
  const [own, setOwn] = useState<FaultsOf<typeof TOKEN_FIELDS>>({})
  useUnsaved(draft !== NEW_TOKEN)
  const refusal = toFormRefusal(create.error, FORM.names, FORM.words)
  const faults = { ...refusal.fields, ...own }
  const change = (part: Partial<TokenDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = FORM.findFaults(draft)
    setOwn(found)
    if (Object.keys(found).length === 0) create.mutate(FORM.toBody(draft, Date.now()))
  }
  const fields = { fields: TOKEN_FIELDS, draft, onChange: change, faults }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FieldInputs {...fields} names={['name']} />
        <ScopesField
          value={draft.scopes}
          onChange={(scopes) => change({ scopes })}
          error={faults.scopes}
        />
        <FieldInputs {...fields} names={['expires_at']} />
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
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
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
      label={TOKEN_FIELDS.scopes.label}
      description={TOKEN_FIELDS.scopes.form.help}
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
