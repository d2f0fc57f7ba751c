// Asks before an action on a user, runs it, and shows the link where the answer is one. A refusal
// by the API, as for the last administrator, is shown in the dialog.

import { useState } from 'react'
import type { ReactElement } from 'react'
import type { UserChangeBody, UserLinkAnswer, UserRow } from '../../../../src/api/contract.ts'
import { toUserActionWords, useChangeUser, useRemoveUser, useRenewLink } from './users.ts'
import type { UserAction } from './users.ts'
import { useAnyway } from '../../data/meanwhile.ts'
import { Confirmation } from '../../ui/forms/confirm-button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { LinkOnce } from './link-once.tsx'

export interface AskedAction {
  readonly user: UserRow
  readonly action: UserAction
}

export interface UserActionDialogProps {
  /** Null while nothing is asked. */
  readonly asked: AskedAction | null
  readonly onClose: () => void
}

export function UserActionDialog({ asked, onClose }: UserActionDialogProps): ReactElement {
  const title = asked === null ? '' : toUserActionWords(asked.action, asked.user.email).title
  return (
    <FormDialog isOpen={asked !== null} onClose={onClose} title={title}>
      {asked !== null && <Question {...asked} onClose={onClose} />}
    </FormDialog>
  )
}

interface QuestionProps extends AskedAction {
  readonly onClose: () => void
}

function Question({ user, action, onClose }: QuestionProps) {
  const [link, setLink] = useState<UserLinkAnswer | null>(null)
  const act = useUserAction()
  const run = useAnyway(user.version, (version) => act({ ...user, version }, action))
  if (link !== null) return <LinkOnce link={link} onClose={onClose} />
  return (
    <Confirmation
      {...toUserActionWords(action, user.email)}
      onConfirm={async () => setLink(await run())}
      staysOpen={action === 'link'}
      onClose={onClose}
    />
  )
}

const CHANGES: Readonly<Record<Exclude<UserAction, 'link' | 'remove'>, UserChangeBody>> = {
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
