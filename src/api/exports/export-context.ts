// What the rows of an export need beside their record. Must stay true: who may not read keys is
// given none.

import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { KEY_CODEC } from '../../resources/codecs.ts'
import type { AnswerOf } from '../../resources/field.ts'
import type { KEY_FIELDS } from '../../resources/key.ts'
import { readFactNames } from '../known-names.ts'
import type { KnownNames, NameSources } from '../known-names.ts'
import type { MonthRange } from './month-records.ts'

/** By their ids, as they are now: what was set of them, no secret and no hash of one. */
export type ExportedKeys = ReadonlyMap<string, AnswerOf<typeof KEY_FIELDS>>

/** What is known beside calls, as far as the caller may know it. */
export interface ExportedNames {
  readonly keys: ExportedKeys
  /** Of teams and people. */
  readonly names: KnownNames
}

export interface ExportContext extends ExportedNames {
  readonly month: MonthRange
}

export async function readExportedNames(
  sources: NameSources,
  caller: Pick<Caller, 'scopes'>,
): Promise<ExportedNames> {
  const names = await readFactNames(sources, caller)
  if (!hasScope(caller, 'read:keys')) return { keys: new Map(), names }
  const { byId } = await sources.keyDirectory.read()
  return { keys: new Map([...byId].map(([id, { key }]) => [id, KEY_CODEC.toAnswer(key)])), names }
}
