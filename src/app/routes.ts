// The providers of this installation with their addresses: the built-in ones, moved or added to by the
// configuration. One pool an origin, shared by the providers that live there and trust the same authorities.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { createProvider, findProvider } from '../providers/registry.ts'
import type { Provider } from '../providers/provider.ts'
import type { Route } from '../proxy/route.ts'
import type { Sweeper } from '../proxy/sweep.ts'
import { createUpstreamConnector } from '../proxy/upstream-connector.ts'
import type { UpstreamConnectorOptions } from '../proxy/upstream-connector.ts'
import { UpstreamPool } from '../proxy/upstream-pool.ts'
import type { Config } from './config.ts'
import { createProxyChooser } from './outgoing-proxy.ts'
import { resolveAddresses } from './provider-addresses.ts'

export interface RouteServices {
  readonly clock: Clock
  readonly meter: Meter
  readonly sweeper: Sweeper
  /** Provider id to certificates in PEM that are trusted for it beside the usual ones. */
  readonly authorities: ReadonlyMap<string, string>
}

export interface Routes {
  readonly byId: ReadonlyMap<string, Route>
  close(): void
}

/** By their ids. */
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

export function createRoutes(config: Config, services: RouteServices): Routes {
  const pools = new Map<string, UpstreamPool>()
  const byId = new Map<string, Route>()
  const chooseProxy = createProxyChooser(config.upstream)
  for (const [id, { provider, url }] of resolveProviders(config)) {
    const ca = services.authorities.get(id)
    const place = `${url.origin} ${ca ?? ''}`
    const origin = new URL(url.origin)
    const connect = { origin, ca, proxy: chooseProxy(origin) ?? undefined }
    const pool = pools.get(place) ?? createPool(connect, config, services)
    pools.set(place, pool)
    const basePath = url.pathname.replace(/\/+$/, '')
    byId.set(id, { provider, upstream: { host: url.host, basePath, pool } })
    provider.prepare?.()
  }
  return {
    byId,
    close: () => {
      for (const pool of pools.values()) pool.close()
    },
  }
}

function createPool(
  connect: UpstreamConnectorOptions,
  config: Config,
  services: RouteServices,
): UpstreamPool {
  const { connectTimeoutMs, idleTimeoutMs, connectionsMax } = config.upstream
  const { clock, meter, sweeper } = services
  const connector = createUpstreamConnector(connect)
  const limits = { connectTimeoutMs, idleTimeoutMs, connectionsMax }
  const pool = new UpstreamPool({ connector, ...limits, clock, meter })
  sweeper.add(pool)
  return pool
}
