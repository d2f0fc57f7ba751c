// What the ledger hands each stored batch to, where telemetry is configured.

import { parseOtlpHeaders } from '../config/otlp-headers.ts'
import { resolveAddresses } from '../config/provider-addresses.ts'
import { assert } from '../core/assert.ts'
import { VERSION } from '../core/version.ts'
import type { ServerAddress } from '../telemetry/call-attributes.ts'
import type { Telemetry } from '../telemetry/open-telemetry.ts'
import type { RoleOptions } from './roles.ts'

/** Null where no collector is configured; its libraries are loaded only where one is. */
export async function openLedgerTelemetry({
  config,
  node,
  meter,
  warn,
}: RoleOptions): Promise<Telemetry | null> {
  const { otlpUrl, otlpHeaders, metricDims } = config.telemetry
  if (otlpUrl === undefined) return null
  const headers = otlpHeaders === undefined ? {} : parseOtlpHeaders(otlpHeaders)
  assert(headers !== null, 'The schema has checked telemetry.otlpHeaders.')
  const { openTelemetry } = await import('../telemetry/open-telemetry.ts')
  return openTelemetry({
    url: otlpUrl.replace(/\/+$/, ''),
    headers,
    metricDims: metricDims === '' ? [] : metricDims.split(',').map((name) => name.trim()),
    servers: new Map([...resolveAddresses(config)].map(([id, url]) => [id, toServer(url)])),
    nodeId: node.id,
    version: VERSION,
    meter,
    warn,
  })
}

function toServer(url: string): ServerAddress {
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'https:' ? 443 : 80
  return { address: hostname.replaceAll(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}
