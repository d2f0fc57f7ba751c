// The price list that comes with Weir, bundle.json: what scripts/build-prices.ts makes of the
// public lists and of our corrections. It says of every price where it is from.

import { readFileSync } from 'node:fs'
import type { BundledCorrections } from './correction.ts'
import type { GenaiModel } from './model-price.ts'

export interface Bundle {
  /** A day. */
  readonly publishedAt: string
  /** The first is that of all models which do not say another. */
  readonly sources: readonly { readonly name: string; readonly version: string }[]
  /** By our provider ids. */
  readonly providers: Readonly<Record<string, readonly GenaiModel[]>>
  readonly corrections: BundledCorrections
}

export const BUNDLE = JSON.parse(
  readFileSync(new URL('bundle.json', import.meta.url), 'utf8'),
) as Bundle

export const BUNDLE_VERSION = `bundle@${BUNDLE.publishedAt}`

/** The age of prices is counted from here. */
export const BUNDLE_PUBLISHED_AT = Date.parse(`${BUNDLE.publishedAt}T00:00:00Z`)
