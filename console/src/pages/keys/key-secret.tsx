// The secret of a key that was just created, and how to call with it. It closes only by the button
// that says the secret was saved.

import { Alert, Button, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CreatedKeyAnswer } from '../../../../src/api/contract.ts'
import { infoQuery } from '../../data/service.ts'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { RecipePicker } from './recipe-picker.tsx'

export interface KeySecretProps {
  readonly made: CreatedKeyAnswer
  /** `The key is ready` */
  readonly title: string
  readonly onKept: () => void
}

export function KeySecret({ made, title, onKept }: KeySecretProps) {
  const { data: info } = useQuery(infoQuery)
  return (
    <Stack gap="lg">
      <SecretOnce title={title} label="the new key" secret={made.key} />
      {made.same_name.length > 0 && (
        <Alert color="yellow" icon={<WarningIcon />}>
          {made.same_name.length === 1 ? 'Another key has' : 'Other keys have'} this name too:{' '}
          <span className="mono">{made.same_name.join(', ')}</span>. Lists and figures tell them
          apart by id only.
        </Alert>
      )}
      {made.warnings.length > 0 && (
        <Alert color="yellow" icon={<WarningIcon />}>
          {made.warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      <div>
        <Title order={3} mb="xs">
          Call with it
        </Title>
        {info && <RecipePicker proxyUrl={info.proxy_url} secret={made.key} callingKey={made} />}
      </div>
      <Group justify="flex-end">
        <Button onClick={onKept}>I have saved it</Button>
      </Group>
    </Stack>
  )
}
