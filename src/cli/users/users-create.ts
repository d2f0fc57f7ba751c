// weir users create

import { newUserSchema } from '../../api/contract.ts'
import { USER_ROLES } from '../../core/user.ts'
import { invalidArgument, textOption } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { parseName } from '../name.ts'
import { parseRole, printLink } from './user-view.ts'
import { withSettings } from '../with-settings.ts'

export const usersCreateCommand: CommandBody = {
  usage: 'weir users create --email E --role R [options]',
  options: {
    email: { type: 'string', value: 'E', about: 'the address they sign in with', isRequired: true },
    role: {
      type: 'string',
      value: 'R',
      about: `one of ${USER_ROLES.join(', ')}`,
      isRequired: true,
    },
    name: { type: 'string', value: 'N', about: 'their name (default: from the address)' },
  },
  run: createUser,
}

async function createUser(input: CommandInput): Promise<number> {
  const email = parseEmail(textOption(input, 'email') ?? '')
  const role = parseRole(textOption(input, 'role') ?? '')
  const name = parseName(textOption(input, 'name') ?? email.slice(0, email.indexOf('@')))
  await withSettings(
    input,
    async (settings) => {
      const given = { email, name, role, passwordHash: null, subject: null }
      const { id } = await settings.users.create(given)
      const headline = `User ${id} (${email}) was created as ${role}.`
      await printLink(input, settings, { id, headline })
    },
    { canCreate: true },
  )
  return 0
}

function parseEmail(text: string): string {
  const email = newUserSchema.shape.email.safeParse(text)
  if (email.success) return email.data
  throw invalidArgument(
    `--email "${text}" is not an email address.`,
    'Write one such as a@example.com.',
  )
}
