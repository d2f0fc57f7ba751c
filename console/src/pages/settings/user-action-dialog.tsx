// Asks before an action on a user, runs it, and shows the link where the answer is one. A refusal
// by the API, as for the last administrator, is shown in the dialog.

import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { UserChangeBody, UserLinkAnswer, UserRow } from '../../../../src/api/contract.ts'
import { toUserActionWords, useChangeUser, useRemoveUser, useRenewLink } from './users.ts'
import type { UserAction } from './users.ts'
import { useAnyway } from '../../data/use-anyway.ts'
import { FormFault } from '../../ui/forms/form-fault.tsx'
import { useHasUnsaved } from '../../ui/forms/use-unsaved.ts'
import { LinkOnce } from './link-once.tsx'

export interface UserActionDialogProps {
  /** Null while nothing is asked. */
  readonly asked: { readonly user: UserRow; readonly action: UserAction } | null
  readonly onClose: () => void
}

export function UserActionDialog({ asked, onClose }: UserActionDialogProps): ReactElement {
  const title = asked === null ? '' : toUserActionWords(asked.action, asked.user.email).title
  const hasLink = useHasUnsaved()
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!hasLink}
    >
      {asked !== null && <Question {...asked} onClose={onClose} />}
    </Modal>
  )
}

interface QuestionProps {
  readonly user: UserRow
  readonly action: UserAction
  readonly onClose: () => void
}

function Question({ user, action, onClose }: QuestionProps) {
  const words = toUserActionWords(action, user.email)
  const act = useUserAction()
  const run = useAnyway(user.version, (version) => act({ ...user, version }, action))
  const [error, setError] = useState<Error | null>(null)
  const [isPending, setPending] = useState(false)
  const [link, setLink] = useState<UserLinkAnswer | null>(null)
  const confirm = async (): Promise<void> => {
    setPending(true)
    setError(null)
    try {
      const made = await run()
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
          {...(words.isDestructive ? { color: 'red' } : {})}
          loading={isPending}
          onClick={() => void confirm()}
        >
          {words.action}
        </Button>
      </Group>
    </>
  )
}

const CHANGES: Readonly<Record<Exclude<UserAction, 'link' | 'remove'>, UserChangeBody>> = {
  'make-admin': { role: 'admin' },
  'make-viewer': { role: 'viewer' },
  disable: { is_disabled: true },
  enable: { is_disabled: false },
}

/** Returns the link where one was created. */
function useUserAction() {
  const { mutateAsync: change } = useChangeUser()
  const { mutateAsync: renew } = useRenewLink()
  const { mutateAsync: remove } = useRemoveUser()
  return async (user: UserRow, action: UserAction): Promise<UserLinkAnswer | null> => {
    const { id, version } = user
    if (action === 'link') return await renew(id)
    await (action === 'remove'
      ? remove({ id, version })
      : change({ id, version, change: CHANGES[action] }))
    return null
  }
}
