// Dialogs with a form: what was typed in one is not lost by a press beside it or by Escape, nor is
// a secret that is shown once.

import { Modal } from '@mantine/core'
import type { MantineSize } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHasUnsaved, useUnsaved } from '../../data/unsaved.ts'
import '../later-styles.ts'

export interface FormDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly size?: MantineSize
  /** It then closes only by a button of its own. */
  readonly hasSecret?: boolean
  readonly children: ReactNode
}

export function FormDialog(props: FormDialogProps) {
  const { isOpen, onClose, title, size = 'md', hasSecret = false, children } = props
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

/** The mutation that makes something. */
interface Making<Made> {
  readonly data: Made | undefined
  readonly isPending: boolean
  readonly reset: () => void
}

export interface OnceDialogProps<Made> extends Pick<FormDialogProps, 'isOpen' | 'onClose'> {
  readonly making: Making<Made>
  readonly title: (made: Made | undefined) => string
  readonly form: (close: () => void) => ReactNode
  /** What was made, with its secret. */
  readonly secret: (made: Made, close: () => void) => ReactNode
}

/** For creating something whose secret is shown once. */
export function OnceDialog<Made>({
  making,
  title,
  form,
  secret,
  ...dialog
}: OnceDialogProps<Made>) {
  const { data: made } = making
  const close = (): void => closeOnce(making, dialog.onClose)
  return (
    <FormDialog
      isOpen={dialog.isOpen}
      onClose={close}
      size={made === undefined ? 'lg' : 'xl'}
      title={title(made)}
      hasSecret={made !== undefined}
    >
      {made === undefined ? form(close) : secret(made, close)}
    </FormDialog>
  )
}

/** Closes it and forgets what was made, unless the answer with the secret is still pending. */
export function closeOnce(making: Omit<Making<unknown>, 'data'>, onClose: () => void): void {
  if (making.isPending) return
  onClose()
  making.reset()
}
