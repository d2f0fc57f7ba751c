// How this installation's providers charge where no price list says it.

import { ADDRESSES, chargingOf } from '../providers/directory.ts'
import type { Config } from './config.ts'

export interface ProviderCosts {
  /** They charge nothing, unless the operator sets a price. */
  readonly local: ReadonlySet<string>
  /** Their responses state the cost. */
  readonly stating: ReadonlySet<string>
}

/** Built-in providers count even without an address: their calls may be on record. */
export function readProviderCosts({ providers }: Pick<Config, 'providers'>): ProviderCosts {
  const ids = [...new Set([...Object.keys(ADDRESSES), ...Object.keys(providers)])]
  const charging = (meant: ReturnType<typeof chargingOf>): ReadonlySet<string> =>
    new Set(ids.filter((id) => chargingOf({ id, shape: providers[id]?.shape }) === meant))
  return { local: charging('nothing'), stating: charging('stated') }
}
