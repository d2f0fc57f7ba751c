// A field for a password. It can be shown, so it is never asked for twice.

import { PasswordInput } from '@mantine/core'
import type { PasswordInputProps } from '@mantine/core'
import { useState } from 'react'

export interface PasswordFieldProps extends PasswordInputProps {
  readonly autoComplete: 'current-password' | 'new-password'
}

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      {...props}
      name="password"
      required
      withAsterisk={false}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? 'Hide the password' : 'Show the password',
        tabIndex: 0,
      }}
    />
  )
}
