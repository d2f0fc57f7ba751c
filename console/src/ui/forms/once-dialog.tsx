// The dialog for creating something whose secret is shown once. It cannot be closed by accident
// while the answer is pending or the secret is visible.

import { Modal } from '@mantine/core'
import type { MantineSize } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHasUnsaved, useUnsaved } from './use-unsaved.ts'

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
  useUnsaved(isOpen && hasSecret)
  const hasTyped = useHasUnsaved()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={size}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!hasSecret && !hasTyped}
      withCloseButton={!hasSecret}
    >
      {children}
    </Modal>
  )
}

/** Closes it and forgets what was made, unless the answer with the secret is still pending. */
export function closeOnce(
  making: { readonly isPending: boolean; readonly reset: () => void },
  onClose: () => void,
): void {
  if (making.isPending) return
  onClose()
  making.reset()
}
