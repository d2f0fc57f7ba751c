// Why a form was refused, above its buttons. Must stay true: the place is there before the fault is, so that a screen
// reader reads it out when it comes.

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
