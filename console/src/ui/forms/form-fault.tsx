// Why a form was refused, above its buttons. The element exists before the fault does, so that a
// screen reader announces it.

import { Text } from '@mantine/core'

export interface FormFaultProps {
  readonly error: Error | null
}

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
