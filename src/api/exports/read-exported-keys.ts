// What files say of the keys beside their ids. Must stay true: who may not read keys is given none.

import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { KEY_CODEC } from '../../resources/codecs.ts'
import type { KeyDirectory } from '../keys/key-directory.ts'
import type { ExportedKey } from './export-context.ts'

const NO_KEYS: ReadonlyMap<string, ExportedKey> = new Map()

/** By id, as they are now. */
export async function readExportedKeys(
  keyDirectory: KeyDirectory,
  caller: Pick<Caller, 'scopes'>,
): Promise<ReadonlyMap<string, ExportedKey>> {
  if (!hasScope(caller, 'read:keys')) return NO_KEYS
  const { byId } = await keyDirectory.read()
  return new Map([...byId].map(([id, { key }]) => [id, KEY_CODEC.toAnswer(key)]))
}
