// The secrets of webhooks that were just created. It closes by one button, which says that they
// were saved.

import { Button, Group, Stack, Text } from '@mantine/core'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'

export interface WebhookSecret {
  readonly address: string
  readonly secret: string
}

export interface WebhookSecretsProps {
  readonly secrets: readonly WebhookSecret[]
  readonly onKept: () => void
}

export function WebhookSecrets({ secrets, onKept }: WebhookSecretsProps) {
  return (
    <Stack gap="lg">
      {secrets.map(({ address, secret }) => (
        <SecretOnce
          key={secret}
          title="The webhook’s secret"
          label={`the secret of ${address}`}
          secret={secret}
          isKept
        >
          <Text size="sm" mt="xs">
            The receiver at {address} uses it to verify that a message comes from Weir. Messages are
            signed as Standard Webhooks, which has libraries in many languages.
          </Text>
        </SecretOnce>
      ))}
      <Group justify="flex-end">
        <Button onClick={onKept}>I have saved {secrets.length === 1 ? 'it' : 'them'}</Button>
      </Group>
    </Stack>
  )
}
