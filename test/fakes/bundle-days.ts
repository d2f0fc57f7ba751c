// Days counted from that of the bundled prices: each release may bring newer ones, and what a test
// imports must be newer still.

import { BUNDLE_PUBLISHED_AT } from '../../src/pricing/data/bundle.ts'

const DAY_MS = 86_400_000

/** Midnight, UTC. */
export function msAfterBundle(days: number): number {
  return BUNDLE_PUBLISHED_AT + days * DAY_MS
}

/** `2026-11-01` */
export function dayAfterBundle(days: number): string {
  return new Date(msAfterBundle(days)).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
