// What the rows of an export need beside their record. Must stay true: who may not read keys is
// given none.

import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { KEY_CODEC } from '../../resources/codecs.ts'
import type { AnswerOf } from '../../resources/field.ts'
import type { KEY_FIELDS } from '../../resources/key.ts'
import type { KeyDirectory } from '../keys/key-directory.ts'
import type { MonthRange } from './month-records.ts'

/** By their ids, as they are now: what was set of them, no secret and no hash of one. */
export type ExportedKeys = ReadonlyMap<string, AnswerOf<typeof KEY_FIELDS>>

export interface ExportContext {
  readonly month: MonthRange
  /** Empty for who may not know them. */
  readonly keys: ExportedKeys
}

export async function readExportedKeys(
  keyDirectory: KeyDirectory,
  caller: Pick<Caller, 'scopes'>,
): Promise<ExportedKeys> {
  if (!hasScope(caller, 'read:keys')) return new Map()
  const { byId } = await keyDirectory.read()
  return new Map([...byId].map(([id, { key }]) => [id, KEY_CODEC.toAnswer(key)]))
}
