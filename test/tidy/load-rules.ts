// What must not be loaded along with what: every command and every process would start later for
// it.

import { importsOf } from './checkout.ts'
import type { Checkout, CheckoutFile, Fault } from './checkout.ts'

/** Only where a database is named. */
const ENGINES = ['pg', '@clickhouse/client']

/** Only where a collector is configured. */
const TELEMETRY = ['src/telemetry/open-telemetry.ts', '@opentelemetry/api']

/** A file, and what it can do without. Imports by `await import` are not followed. */
export const UNLOADED: Readonly<Record<string, readonly string[]>> = {
  'src/cli/weir.ts': ['src/config/config.ts', 'zod'],
  'src/config/config.ts': ['src/providers/registry.ts', 'src/pricing/data/corrections.ts'],
  'src/app/main.ts': [
    'src/providers/registry.ts',
    'src/pricing/data/corrections.ts',
    'prom-client',
    ...ENGINES,
  ],
  'src/app/proxy-role.ts': ['src/pricing/data/corrections.ts', 'zod', ...ENGINES],
  'src/app/ledger-role.ts': [
    'src/providers/registry.ts',
    'src/config/schema.ts',
    'src/api/server.ts',
    ...ENGINES,
    ...TELEMETRY,
  ],
  'src/app/api-role.ts': ['src/providers/registry.ts', 'src/proxy/listen.ts', ...ENGINES],
}

export function checkLoads(checkout: Checkout): Fault[] {
  const files = new Map(checkout.map((file) => [file.path, file]))
  return Object.entries(UNLOADED).flatMap(([entry, unloaded]) => {
    const chains = findChains(entry, files)
    return unloaded
      .filter((name) => chains.has(name))
      .map((name) => `${entry}: loads ${name} by ${chains.get(name)?.join(', ')}`)
  })
}

/** All that is loaded with a file, each with the files by which it came. */
function findChains(
  entry: string,
  files: ReadonlyMap<string, CheckoutFile>,
): ReadonlyMap<string, readonly string[]> {
  const chains = new Map<string, readonly string[]>([[entry, []]])
  for (const [name, chain] of chains) {
    const file = files.get(name)
    if (file === undefined) continue
    for (const { specifier, target, isTypeOnly, isLater } of importsOf(file)) {
      const loaded = target ?? specifier
      if (!isTypeOnly && !isLater && !chains.has(loaded)) chains.set(loaded, [...chain, name])
    }
  }
  return chains
}
