// A ClickHouse URL as the client's options. Must stay true: an encrypted connection checks the
// server's certificate and name, and no message shows a password.

import { readFileSync } from 'node:fs'
import type { ClickHouseClientConfigOptions } from '@clickhouse/client'
import { WeirError } from '../../core/weir-error.ts'

const EXAMPLE = 'Write clickhouse://USER:PASSWORD@HOST:8123/DATABASE.'
const PARAMETERS = ['secure', 'ca', 'cluster'] as const

export function isClickhouseUrl(place: string): boolean {
  return /^clickhouse:\/\//i.test(place)
}

export function toConnectOptions(url: string): ClickHouseClientConfigOptions {
  const parsed = parse(url)
  const isSecure = parsed.searchParams.get('secure') === 'true'
  const port = parsed.port === '' ? (isSecure ? '8443' : '8123') : parsed.port
  return {
    url: `${isSecure ? 'https' : 'http'}://${parsed.hostname}:${port}`,
    username: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    ...toTls(parsed.searchParams.get('ca')),
  }
}

/** The cluster whose nodes all get the tables; null for a single server. */
export function toCluster(url: string): string | null {
  return parse(url).searchParams.get('cluster')
}

/** Where it is, for messages. */
export function toPlace(url: string): string {
  const { host, pathname } = parse(url)
  return `${host}${pathname}`
}

function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !isClickhouseUrl(url)) throw invalid('it is no URL', EXAMPLE)
  if (parsed.username === '' || parsed.pathname.length < 2) {
    throw invalid('the user or the database is missing', EXAMPLE)
  }
  for (const [name, value] of parsed.searchParams) check(name, value)
  return parsed
}

function check(name: string, value: string): void {
  if (!(PARAMETERS as readonly string[]).includes(name)) {
    throw invalid(`its parameter ${name} is not known`, `Use ${PARAMETERS.join(', ')}.`)
  }
  if (name === 'secure' && value !== 'true' && value !== 'false') {
    throw invalid(`secure is ${value}`, 'Write secure=true for HTTPS, or leave it out.')
  }
  // It becomes a part of statements.
  if (name === 'cluster' && !/^\w{1,64}$/.test(value)) {
    throw invalid('the name of its cluster is no name', 'Use letters, digits and underscores.')
  }
}

function toTls(file: string | null): Pick<ClickHouseClientConfigOptions, 'tls'> | object {
  if (file === null) return {}
  try {
    return { tls: { ca_cert: readFileSync(file) } }
  } catch (error) {
    throw invalid(`ca: ${(error as Error).message}`, 'Name a file that Weir may read.')
  }
}

function invalid(reason: string, hint: string): WeirError {
  return new WeirError('invalid_config', `The ClickHouse URL cannot be used: ${reason}.`, { hint })
}
