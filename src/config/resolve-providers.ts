// This installation's providers: the built-in ones, and those the configuration changes or adds.

import type { Provider } from '../providers/provider.ts'
import { createProvider, findProvider } from '../providers/registry.ts'
import type { Config } from './config.ts'
import { resolveAddresses } from './provider-addresses.ts'

export function resolveProviders(config: Config): Map<string, { provider: Provider; url: URL }> {
  const resolved = new Map<string, { provider: Provider; url: URL }>()
  for (const [id, upstream] of resolveAddresses(config)) {
    const shape = config.providers[id]?.shape
    const provider =
      shape === undefined ? findProvider(id) : createProvider({ id, shape, upstream })
    if (provider !== null) resolved.set(id, { provider, url: new URL(upstream) })
  }
  return resolved
}
