// The URLs of the providers: the built-in ones, and those that the configuration changes or adds.

import { addressOf, ADDRESSES } from '../providers/directory.ts'
import type { Config } from './config.ts'

/** Provider id to address. Providers without a known address are left out. */
export function resolveAddresses({ providers }: Pick<Config, 'providers'>): Map<string, string> {
  const configured = Object.entries(providers).map(([id, { url }]) => [id, url ?? addressOf(id)])
  const all = [...Object.entries(ADDRESSES), ...configured] as [string, string | null][]
  const known = all.filter((entry): entry is [string, string] => entry[1] !== null)
  return new Map(known)
}
