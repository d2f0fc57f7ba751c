// The secret of a key that was just created, and how to call with it. It closes only by the button
// that says the secret was saved.

import { Button, Group, Stack, Title } from '@mantine/core'
import type { CreatedKeyAnswer } from '../../../../src/api/contract.ts'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'

export interface KeySecretProps {
  readonly made: CreatedKeyAnswer
  /** `The key search is ready` */
  readonly title: string
  readonly onKept: () => void
}

export function KeySecret({ made, title, onKept }: KeySecretProps) {
  return (
    <Stack gap="lg">
      <SecretOnce title={title} label="the new key" secret={made.key} />
      <div>
        <Title order={3} mb="xs">
          Call with it
        </Title>
        <SnippetTabs apiKey={made.key} provider={made.allowed_providers[0]} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onKept}>I have saved it</Button>
      </Group>
    </Stack>
  )
}
