// Asks before something is done about a user, does it, and shows the link where the answer is one. Must stay true: why the
// API refused, as for the last administrator, is shown in the dialogue.

import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { UserLinkAnswer, UserRow } from '../../../../src/api/contract.ts'
import { toDeedWords, useChangeUser, useRemoveUser, useRenewLink } from './users.ts'
import type { UserDeed } from './users.ts'
import { FormFault } from '../../ui/forms/form-fault.tsx'
import { LinkOnce } from './link-once.tsx'

export interface UserDeedDialogProps {
  /** Null while nothing is asked. */
  readonly asked: { readonly user: UserRow; readonly deed: UserDeed } | null
  readonly onClose: () => void
}

export function UserDeedDialog({ asked, onClose }: UserDeedDialogProps): ReactElement {
  const title = asked === null ? '' : toDeedWords(asked.deed, asked.user.email).title
  return (
    <Modal opened={asked !== null} onClose={onClose} title={title} closeOnClickOutside={false}>
      {asked !== null && <Question {...asked} onClose={onClose} />}
    </Modal>
  )
}

interface QuestionProps {
  readonly user: UserRow
  readonly deed: UserDeed
  readonly onClose: () => void
}

function Question({ user, deed, onClose }: QuestionProps) {
  const words = toDeedWords(deed, user.email)
  const run = useDeed()
  const [error, setError] = useState<Error | null>(null)
  const [isPending, setPending] = useState(false)
  const [link, setLink] = useState<UserLinkAnswer | null>(null)
  const confirm = async (): Promise<void> => {
    setPending(true)
    setError(null)
    try {
      const made = await run(user.id, deed)
      setLink(made)
      if (made === null) onClose()
      if (words.done !== null) notifications.show({ message: words.done })
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      setPending(false)
    }
  }
  if (link !== null) return <LinkOnce link={link} onClose={onClose} />
  return (
    <>
      <Text>{words.consequence}</Text>
      <FormFault error={error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          {...(words.isHarsh ? { color: 'red' } : {})}
          loading={isPending}
          onClick={() => void confirm()}
        >
          {words.action}
        </Button>
      </Group>
    </>
  )
}

/** Answers with the link where one was made. */
function useDeed(): (id: string, deed: UserDeed) => Promise<UserLinkAnswer | null> {
  const { mutateAsync: change } = useChangeUser()
  const { mutateAsync: renew } = useRenewLink()
  const { mutateAsync: remove } = useRemoveUser()
  return async (id, deed) => {
    switch (deed) {
      case 'make-admin':
        await change({ id, change: { role: 'admin' } })
        return null
      case 'make-viewer':
        await change({ id, change: { role: 'viewer' } })
        return null
      case 'disable':
        await change({ id, change: { is_disabled: true } })
        return null
      case 'enable':
        await change({ id, change: { is_disabled: false } })
        return null
      case 'link':
        return await renew(id)
      case 'remove':
        await remove(id)
        return null
    }
  }
}
