// A name of the sums as PostgreSQL can store it. OTHER_NAME begins with U+0000 so that no caller's
// value is like it: here with U+0001, which no value has either.

import { toStorableText } from '../../sql/storable-text.ts'
import { OTHER_NAME } from '../analysis-rows.ts'

export const STORED_OTHER_NAME = OTHER_NAME.replace('\0', '\u{1}')

export function toStoredName(name: string): string {
  return name === OTHER_NAME ? STORED_OTHER_NAME : toStorableText(name)
}

export function fromStoredName(stored: string): string {
  return stored === STORED_OTHER_NAME ? OTHER_NAME : stored
}
