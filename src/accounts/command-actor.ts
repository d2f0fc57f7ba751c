// In whose name a command changes something: the user of the operating system, who needs no other
// leave.

import { userInfo } from 'node:os'
import type { Actor } from '../core/user.ts'

export function createCommandActor(): Actor {
  return { kind: 'command', id: null, name: readUser() }
}

/** The user of the operating system; a number where it has no name. */
export function readUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under an id that no file knows.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
