// The name under which a command changes something: the operating system's user.

import { userInfo } from 'node:os'
import type { Actor } from '../core/user.ts'

export function createCommandActor(): Actor {
  return { kind: 'command', id: null, name: readUser() }
}

/** Their number where the system has no name for it, as in some containers. */
export function readUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
