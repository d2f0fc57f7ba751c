// A button for an action that is hard to undo: it asks for confirmation in a dialog that says what
// will happen.

import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { FormFault } from './form-end.tsx'

export interface ConfirmButtonProps
  extends Pick<ButtonProps, 'size' | 'variant'>, Omit<ConfirmationProps, 'onClose'> {
  /** On the button. */
  readonly children: ReactNode
  /** For screen readers: `Revoke billing-job`. */
  readonly label?: string
  /** `Revoke key billing-job?` */
  readonly title: string
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, label, title, size = 'sm', variant = 'default', ...confirmation } = props
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button
        size={size}
        variant={variant}
        color="red"
        {...(label === undefined ? {} : { 'aria-label': label })}
        onClick={() => setOpen(true)}
      >
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <Confirmation {...confirmation} onClose={close} />
      </Modal>
    </>
  )
}

export interface ConfirmationProps {
  /** What will happen, in a sentence or two. */
  readonly consequence: ReactNode
  /** On the button that does it: `Revoke key`. */
  readonly action: string
  /** Of that button; left out: what it does is hard to undo. */
  readonly color?: string
  /** What must be typed first, where it cannot be undone at all. */
  readonly typed?: string
  /** Said when it is done. */
  readonly done?: string | null
  /** What it throws is shown. */
  readonly onConfirm: () => Promise<unknown>
  /** Where its answer is then shown in its place. */
  readonly staysOpen?: boolean
  readonly onClose: () => void
}

/** What is in the dialog. It closes when the action is done. */
export function Confirmation(props: ConfirmationProps) {
  const { consequence, action, color = 'red', typed, done = null, onConfirm, onClose } = props
  const [text, setText] = useState('')
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const isSure = typed === undefined || text.trim() === typed.trim()
  const confirm = async (): Promise<void> => {
    setPending(true)
    setError(null)
    try {
      await onConfirm()
      if (props.staysOpen !== true) onClose()
      if (done !== null) notifications.show({ message: done })
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      setPending(false)
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isSure) void confirm()
  }
  return (
    <form onSubmit={submit}>
      <Text component="div">{consequence}</Text>
      {typed !== undefined && (
        <TextInput
          mt="md"
          label={`Type ${typed} to confirm`}
          autoComplete="off"
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <FormFault error={error} />
      <Group justify="flex-end" mt="lg">
        <Button
          variant="default"
          onClick={onClose}
          data-autofocus={typed === undefined || undefined}
        >
          Cancel
        </Button>
        <Button type="submit" color={color} disabled={!isSure} loading={isPending}>
          {action}
        </Button>
      </Group>
    </form>
  )
}
