// Where a new password is chosen.

import type { PasswordInputProps } from '@mantine/core'
import { PasswordField } from './password-field.tsx'

export function NewPasswordField(props: PasswordInputProps) {
  return (
    <PasswordField
      {...props}
      label="Password"
      description="At least 12 characters. A sentence does well."
      autoComplete="new-password"
    />
  )
}
