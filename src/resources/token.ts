// An access token, as an administrator makes it: it is never changed afterwards.

import { TOKEN_SCOPES } from '../core/api-key.ts'
import { NAME_CHARS_MAX } from '../core/key-rules.ts'
import type { Fields } from './field.ts'

export const TOKEN_FIELDS = {
  name: {
    kind: 'name',
    charsMax: NAME_CHARS_MAX,
    isRequired: true,
    label: 'Name',
    form: { help: 'Which program uses it.', placeholder: 'finance-dashboard' },
    option: { name: 'name', value: 'N', about: 'a name for people' },
    example: 'Finance report',
  },
  scopes: {
    kind: 'choices',
    choices: TOKEN_SCOPES,
    isRequired: true,
    label: 'Scopes',
    form: { help: 'As few as possible: anyone who has the token can use it.' },
    option: { name: 'scope', value: 'S', about: `what it may do: ${TOKEN_SCOPES.join(', ')}` },
    example: ['read:usage', 'read:keys'],
  },
  team_id: {
    kind: 'text',
    charsMax: 63,
    label: 'Team',
    help: 'The only team that it sees, by id or slug; null: the whole company.',
    answer: 'Its id.',
    form: { help: 'The only team that it sees.', none: 'the whole company' },
    option: { name: 'team', value: 'TEAM', about: 'the only team that it sees' },
    example: 'team_0123456789abcdef',
  },
  expires_at: {
    kind: 'expiry',
    label: 'Expires',
    option: { name: 'expires', value: 'WHEN', about: '2027-01-31, 2027-01-31T12:00Z, 30d, 12h' },
    example: null,
  },
} as const satisfies Fields
