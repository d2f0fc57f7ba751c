// The first step: an API key of Weir, created here and shown once.

import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { CreatedKeyAnswer } from '../../../../src/api/contract.ts'
import { useCreateKey } from '../../data/keys.ts'
import { useCan } from '../../data/session.ts'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'

const NAME_CHARS_MAX = 100

export interface MakeKeyProps {
  readonly created: CreatedKeyAnswer | null
  readonly onCreated: (key: CreatedKeyAnswer) => void
}

export function MakeKey({ created, onCreated }: MakeKeyProps) {
  const canChange = useCan('write:keys')
  return (
    <Panel
      heading="1. Create a key"
      description="Each app calls with a Weir key, so that you see who spent what. The provider's own key stays with the app, or is stored in Weir."
    >
      {created !== null && (
        <SecretOnce title={`Key ${created.name} is ready`} label="the key" secret={created.key}>
          <Text size="sm" mt="xs">
            It can use every model. Set limits and rules under{' '}
            <TextLink href={`/keys/${encodeURIComponent(created.id)}`} underline="always">
              API keys
            </TextLink>
            .
          </Text>
        </SecretOnce>
      )}
      {created === null && canChange && <KeyForm onCreated={onCreated} />}
      {created === null && !canChange && (
        <p className="quiet">
          Your role cannot create keys. Ask an administrator for one, then continue below.
        </p>
      )}
    </Panel>
  )
}

function KeyForm({ onCreated }: Pick<MakeKeyProps, 'onCreated'>) {
  const create = useCreateKey()
  const [name, setName] = useState('First key')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    create.mutate({ name }, { onSuccess: onCreated })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Key name"
          required
          maxLength={NAME_CHARS_MAX}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={create.isPending}>
          Create key
        </Button>
      </Group>
      <FormFault error={create.error} />
    </form>
  )
}
