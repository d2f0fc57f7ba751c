// The end of a form in a dialog: why it was refused, and its buttons.

import { Button, Group, Text } from '@mantine/core'

export interface FormEndProps {
  readonly error: Error | null
  /** On the button that submits it. */
  readonly action: string
  readonly isPending: boolean
  readonly onCancel: () => void
}

export function FormEnd({ error, action, isPending, onCancel }: FormEndProps) {
  return (
    <>
      <FormFault error={error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </Group>
    </>
  )
}

export interface FormFaultProps {
  readonly error: Error | null
}

/** Exists before the fault does, so that a screen reader announces it. */
export function FormFault({ error }: FormFaultProps) {
  return (
    <div role="alert" className="form-fault">
      {error !== null && (
        <Text c="red" size="sm">
          {error.message}
        </Text>
      )}
    </div>
  )
}
