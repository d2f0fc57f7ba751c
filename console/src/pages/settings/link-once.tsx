// The one-time link of a user, shown once, to be passed on to them.

import { Button, Group, Text } from '@mantine/core'
import type { ReactElement } from 'react'
import type { UserLinkAnswer } from '../../../../src/api/contract.ts'
import { formatTime } from '../../data/format-time.ts'
import { SecretOnce } from '../../ui/forms/secret-once.tsx'
import { useUnsaved } from '../../data/unsaved.ts'

export interface LinkOnceProps {
  readonly link: UserLinkAnswer
  readonly onClose: () => void
}

export function LinkOnce({ link, onClose }: LinkOnceProps): ReactElement {
  useUnsaved(true)
  return (
    <>
      <SecretOnce
        title={`The link for ${link.user.email} is ready`}
        label="the sign-in link"
        secret={`${window.location.origin}${link.path}`}
      >
        <Text size="sm" mt="xs">
          Send it to {link.user.name}, who uses it to set a password. It works once, until{' '}
          {formatTime(link.expires_at)}.
        </Text>
      </SecretOnce>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </>
  )
}
