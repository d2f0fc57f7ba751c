// Creates an access token: what it may do, and for how long. Then shows it, once, with a first
// question to ask.

import { Button, Checkbox, Group, Stack, Title } from '@mantine/core'
import type { CreatedTokenAnswer, NewTokenBody } from '../../../../src/api/contract.ts'
import { TOKEN_FIELDS } from '../../../../src/resources/token.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import { createFieldForm } from '../../data/forms/field-form.ts'
import { TeamSelect } from '../keys/team-select.tsx'
import { createMcpSettings, createUsageCurl } from './token-snippets.ts'
import { SCOPE_WORDS, useCreateToken } from './tokens.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { OnceDialog } from '../../ui/forms/form-dialog.tsx'
import { useNew } from '../../ui/forms/use-new.ts'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'

export interface CreateTokenProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CreateToken(dialog: CreateTokenProps) {
  const create = useCreateToken()
  return (
    <OnceDialog
      {...dialog}
      making={create}
      title={(made) => (made === undefined ? 'Create an access token' : `Token ${made.name}`)}
      form={(close) => <CreateTokenForm create={create} onCancel={close} />}
      secret={(made, close) => <TokenSecret made={made} onKept={close} />}
    />
  )
}

interface CreateTokenFormProps {
  readonly create: ReturnType<typeof useCreateToken>
  readonly onCancel: () => void
}

const FORM = createFieldForm(TOKEN_FIELDS)
const NEW_TOKEN: DraftOf<typeof TOKEN_FIELDS> = {
  ...FORM.empty,
  scopes: ['read:usage'],
  expires_at: { choice: '90', day: '' },
}

function CreateTokenForm({ create, onCancel }: CreateTokenFormProps) {
  const { error, isPending, mutate } = create
  const options = { first: NEW_TOKEN, error, onSend: (body: NewTokenBody) => mutate(body) }
  const { fields, rest, submit } = useNew(FORM, options)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FieldInputs fields={TOKEN_FIELDS} names={['name']} {...fields} />
        <ScopesField
          value={fields.draft.scopes}
          onChange={(scopes) => fields.onChange({ scopes })}
          error={fields.faults.scopes}
        />
        <TeamSelect
          description={TOKEN_FIELDS.team_id.form.help}
          none="The whole company"
          value={fields.draft.team_id === '' ? undefined : fields.draft.team_id}
          onChange={(id) => fields.onChange({ team_id: id ?? '' })}
          error={fields.faults.team_id}
        />
        <FieldInputs fields={TOKEN_FIELDS} names={['expires_at']} {...fields} />
      </Stack>
      <FormEnd error={rest} action="Create token" isPending={isPending} onCancel={onCancel} />
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
