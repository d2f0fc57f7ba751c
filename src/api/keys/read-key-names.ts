// The names of keys, for files that know calls by the keys' ids. Must stay true: who may not read
// keys is given none.

import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import type { KeyDirectory } from './key-directory.ts'

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** By id, as they are called now. */
export async function readKeyNames(
  keyDirectory: KeyDirectory,
  caller: Pick<Caller, 'scopes'>,
): Promise<ReadonlyMap<string, string>> {
  if (!hasScope(caller, 'read:keys')) return NO_NAMES
  const { byId } = await keyDirectory.read()
  return new Map([...byId].map(([id, { key }]) => [id, key.name]))
}
