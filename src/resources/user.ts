// A user of the console, as an administrator sets them. Whether they are disabled is a moment in
// the store, and a password is theirs alone: both stay code.

import { NAME_CHARS_MAX } from '../core/key-rules.ts'
import { EMAIL, USER_ROLES } from '../core/user.ts'
import type { Fields } from './field.ts'

export const USER_FIELDS = {
  email: {
    kind: 'word',
    charsMax: 254,
    pattern: EMAIL,
    rule: 'must be an email address',
    isLowerCase: true,
    isRequired: true,
    label: 'Email address',
    form: { fault: 'Enter an email address, such as ada@example.com.' },
    option: { name: 'email', value: 'E', about: 'the address they sign in with' },
    example: 'ada@example.com',
  },
  name: {
    kind: 'name',
    charsMax: NAME_CHARS_MAX,
    isRequired: true,
    label: 'Name',
    option: { name: 'name', value: 'N', about: 'their name' },
    example: 'Ada',
  },
  role: {
    kind: 'choice',
    choices: USER_ROLES,
    names: { admin: 'Administrator', finance: 'Finance', viewer: 'Viewer', none: 'Own teams only' },
    isRequired: true,
    label: 'Role',
    form: { fault: 'Choose a role.' },
    option: { name: 'role', value: 'R', about: `one of ${USER_ROLES.join(', ')}` },
    example: 'viewer',
  },
} as const satisfies Fields
