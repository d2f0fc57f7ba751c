// What people may call a key or a token.

import { invalidArgument } from './command.ts'

const NAME_CHARS_MAX = 100

export function parseName(text: string): string {
  const name = text.trim()
  const length = Array.from(name).length
  // Control characters would let a name rewrite the terminal of whoever lists it.
  if (length >= 1 && length <= NAME_CHARS_MAX && !/\p{Cc}/u.test(name) && name.isWellFormed()) {
    return name
  }
  const message = `--name must have 1 to ${NAME_CHARS_MAX} characters and no control characters.`
  throw invalidArgument(message, 'Give a name by which people will know it.')
}
