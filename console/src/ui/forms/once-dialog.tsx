// The dialogue in which something is made whose secret is shown once. Must stay true: it does not go by a slip, neither
// while the answer is under way nor while the secret is in sight.

import { Modal } from '@mantine/core'
import type { MantineSize } from '@mantine/core'
import type { ReactNode } from 'react'

export interface OnceDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly size?: MantineSize
  readonly hasSecret: boolean
  readonly children: ReactNode
}

export function OnceDialog(props: OnceDialogProps) {
  const { isOpen, onClose, title, size = 'md', hasSecret, children } = props
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={size}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!hasSecret}
      withCloseButton={!hasSecret}
    >
      {children}
    </Modal>
  )
}

/** Closes it and forgets what was made, unless the answer, which holds what is shown once, has yet to come. */
export function closeOnce(
  making: { readonly isPending: boolean; readonly reset: () => void },
  onClose: () => void,
): void {
  if (making.isPending) return
  onClose()
  making.reset()
}
