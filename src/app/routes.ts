// This installation's providers with their addresses: built in, moved or added by the
// configuration. One pool per origin, shared by providers that trust the same authorities.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { guardProvider } from '../providers/guarded-provider.ts'
import type { Route } from '../proxy/route.ts'
import type { Deadlines } from '../proxy/deadlines.ts'
import { createUpstreamConnector } from '../proxy/upstream-connector.ts'
import type { UpstreamConnectorOptions } from '../proxy/upstream-connector.ts'
import { UpstreamPool } from '../proxy/upstream-pool.ts'
import type { Config } from '../config/config.ts'
import { createProxyChooser } from '../config/outgoing-proxy.ts'
import { resolveProviders } from '../config/resolve-providers.ts'

export interface RouteServices {
  readonly clock: Clock
  readonly meter: Meter
  readonly deadlines: Deadlines
  /** By provider id: PEM certificates trusted for it besides the usual ones. */
  readonly authorities: ReadonlyMap<string, string>
  /** By provider id, where some are stored. */
  readonly credentials: ReadonlyMap<string, NonNullable<Route['credentials']>>
  readonly warn: (fields: object, message: string) => void
}

export interface Routes {
  readonly byId: ReadonlyMap<string, Route>
  close(): void
}

export function createRoutes(config: Config, services: RouteServices): Routes {
  const pools = new Map<string, UpstreamPool>()
  const byId = new Map<string, Route>()
  const chooseProxy = createProxyChooser(config.upstream)
  for (const [id, { provider: unguarded, url }] of resolveProviders(config)) {
    const provider = guardProvider(unguarded, services)
    const ca = services.authorities.get(id)
    const place = `${url.origin} ${ca ?? ''}`
    const origin = new URL(url.origin)
    const connect = { origin, ca, proxy: chooseProxy(origin) ?? undefined }
    const pool = pools.get(place) ?? createPool(connect, config, services)
    pools.set(place, pool)
    const basePath = url.pathname.replace(/\/+$/, '')
    const { region } = config.providers[id] ?? {}
    const credentials = services.credentials.get(id) ?? null
    byId.set(id, { provider, upstream: { host: url.host, basePath, pool }, region, credentials })
    provider.prepare()
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
  const { clock, meter, deadlines } = services
  const connector = createUpstreamConnector(connect)
  const limits = { connectTimeoutMs, idleTimeoutMs, connectionsMax }
  const pool = new UpstreamPool({ connector, ...limits, clock, meter })
  deadlines.add(pool)
  return pool
}
