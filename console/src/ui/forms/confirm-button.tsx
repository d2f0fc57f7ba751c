// A button for an action that is hard to undo: it asks for confirmation in a dialog that says what
// will happen.

import { Button, Group, Modal, Text } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { FormFault } from './form-fault.tsx'

export interface ConfirmButtonProps extends Pick<ButtonProps, 'size' | 'variant' | 'color'> {
  /** On the button. */
  readonly children: ReactNode
  /** For screen readers: `Revoke billing-job`. */
  readonly label?: string
  /** `Revoke key billing-job?` */
  readonly title: string
  /** What will happen, in a sentence or two. */
  readonly consequence: ReactNode
  /** On the button that does it: `Revoke key`. */
  readonly action: string
  /** The dialog closes when it is done; what it throws is shown in it. */
  readonly onConfirm: () => Promise<unknown>
  readonly isDisabled?: boolean
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, label, title, consequence, action, onConfirm, isDisabled } = props
  const [isOpen, setOpen] = useState(false)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const confirm = async (): Promise<void> => {
    setPending(true)
    setError(null)
    try {
      await onConfirm()
      setOpen(false)
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      setPending(false)
    }
  }
  const close = (): void => {
    setOpen(false)
    setError(null)
  }
  return (
    <>
      <Button
        size={props.size ?? 'sm'}
        variant={props.variant ?? 'default'}
        color={props.color ?? 'red'}
        disabled={isDisabled === true}
        {...(label === undefined ? {} : { 'aria-label': label })}
        onClick={() => setOpen(true)}
      >
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <Text component="div">{consequence}</Text>
        <FormFault error={error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color={props.color ?? 'red'} loading={isPending} onClick={() => void confirm()}>
            {action}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
