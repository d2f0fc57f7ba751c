// A field for choosing a new password.

import type { PasswordInputProps } from '@mantine/core'
import { PasswordField } from '../../ui/forms/password-field.tsx'

export function NewPasswordField(props: PasswordInputProps) {
  return (
    <PasswordField
      {...props}
      label="Password"
      description="At least 12 characters. A sentence works well."
      autoComplete="new-password"
    />
  )
}
