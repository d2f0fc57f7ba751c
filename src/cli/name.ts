// The names of keys, tokens, budgets and users.

import { isKeyName, NAME_CHARS_MAX } from '../core/key-rules.ts'
import { invalidArgument } from './command.ts'

export function parseName(text: string): string {
  const name = text.trim()
  if (isKeyName(name)) return name
  const message = `--name must have 1 to ${NAME_CHARS_MAX} characters and no control characters.`
  throw invalidArgument(message, 'Give a name that people will recognize.')
}
