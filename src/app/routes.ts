// The providers of this installation with their addresses: the built-in ones, moved or added to by the
// configuration. One pool an origin, shared by the providers that live there.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { PROVIDERS, createProvider, findProvider } from '../providers/registry.ts'
import type { Provider } from '../providers/provider.ts'
import type { Route } from '../proxy/route.ts'
import type { Sweeper } from '../proxy/sweep.ts'
import { UpstreamPool } from '../proxy/upstream-pool.ts'
import type { Config } from './config.ts'

export interface RouteServices {
  readonly clock: Clock
  readonly meter: Meter
  readonly sweeper: Sweeper
}

export interface Routes {
  readonly byId: ReadonlyMap<string, Route>
  close(): void
}

/** Provider id to address. Providers without a known address are left out. */
export function resolveProviders(config: Config): Map<string, { provider: Provider; url: URL }> {
  const resolved = new Map<string, { provider: Provider; url: URL }>()
  for (const provider of PROVIDERS) {
    if (provider.upstream !== null) {
      resolved.set(provider.id, { provider, url: new URL(provider.upstream) })
    }
  }
  for (const [id, { url, shape }] of Object.entries(config.providers)) {
    const own = shape === undefined ? null : createProvider({ id, shape, upstream: url })
    const provider = own ?? findProvider(id)
    if (provider !== null) resolved.set(id, { provider, url: new URL(url) })
  }
  return resolved
}

export function createRoutes(config: Config, services: RouteServices): Routes {
  const pools = new Map<string, UpstreamPool>()
  const byId = new Map<string, Route>()
  for (const [id, { provider, url }] of resolveProviders(config)) {
    const pool = pools.get(url.origin) ?? createPool(url, config, services)
    pools.set(url.origin, pool)
    const basePath = url.pathname.replace(/\/+$/, '')
    byId.set(id, { provider, upstream: { host: url.host, basePath, pool } })
  }
  return {
    byId,
    close: () => {
      for (const pool of pools.values()) pool.close()
    },
  }
}

function createPool(url: URL, config: Config, services: RouteServices): UpstreamPool {
  const { connectTimeoutMs, idleTimeoutMs, connectionsMax } = config.upstream
  const { clock, meter, sweeper } = services
  const origin = new URL(url.origin)
  const limits = { connectTimeoutMs, idleTimeoutMs, connectionsMax }
  const pool = new UpstreamPool({ origin, ...limits, clock, meter })
  sweeper.add(pool)
  return pool
}
