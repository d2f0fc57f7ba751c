// The first step: an API key of Weir, created here and shown once, or one that is there already.

import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { CreatedKeyAnswer } from '../../../../src/api/contract.ts'
import { useCreateKey } from '../../data/keys.ts'
import { useCan, useSeesCompany } from '../../data/session.ts'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { KeySelect } from '../keys/key-select.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'

const NAME_CHARS_MAX = 100

export interface TakeKeyProps {
  readonly created: CreatedKeyAnswer | null
  readonly onCreated: (key: CreatedKeyAnswer) => void
  /** The id of a key that is there already. */
  readonly chosen: string | undefined
  readonly onChoose: (id: string | undefined) => void
}

export function TakeKey({ created, onCreated, chosen, onChoose }: TakeKeyProps) {
  const canChange = useCan('write:keys')
  const canRead = useCan('read:keys')
  const isOfCompany = useSeesCompany()
  return (
    <Panel
      heading="1. Take a key"
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
      {created === null && (
        <Stack gap="md">
          {canChange && isOfCompany && <KeyForm onCreated={onCreated} />}
          {canChange && !isOfCompany && (
            <p>
              Take one under <TextLink href="/my-keys">My keys</TextLink>, then choose it below.
            </p>
          )}
          {!canChange && (
            <p className="quiet">
              Your role cannot create keys. Ask an administrator for one, then continue below.
            </p>
          )}
          {canRead && (
            <Box maw="22rem">
              <KeySelect
                label={canChange ? 'Or use a key that you have' : 'A key that you have'}
                none="No key chosen"
                value={chosen}
                onChange={onChoose}
              />
              {chosen !== undefined && (
                <Text size="sm" c="dimmed" mt={4}>
                  The calls below keep to its models and dimensions. Put its secret in the place of
                  YOUR-SECRET: Weir does not keep it.
                </Text>
              )}
            </Box>
          )}
        </Stack>
      )}
    </Panel>
  )
}

function KeyForm({ onCreated }: Pick<TakeKeyProps, 'onCreated'>) {
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
