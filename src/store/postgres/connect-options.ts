// A PostgreSQL URL as the driver's options. Must stay true: an encrypted connection checks the
// server's certificate and name unless the URL says `sslmode=no-verify`, and no message shows a
// password.

import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { WeirError } from '../../core/weir-error.ts'

/** A host that does not answer. */
const CONNECT_MS_MAX = 5000

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const
const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name'] as const

export function isPostgresUrl(place: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(place)
}

export function toConnectOptions(url: string): ClientConfig {
  const parsed = parse(url)
  const parameters = parsed.searchParams
  for (const name of parameters.keys()) {
    if (!(PARAMETERS as readonly string[]).includes(name)) {
      throw invalid(`its parameter ${name} is not known`, `Use ${PARAMETERS.join(', ')}.`)
    }
  }
  // A socket's directory is written as the host, percent-encoded.
  const host = decodeURIComponent(parsed.hostname.replace(/^\[(.*)\]$/, '$1'))
  return {
    host: host === '' ? 'localhost' : host,
    port: parsed.port === '' ? 5432 : Number(parsed.port),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    ssl: toSsl(parameters),
    application_name: parameters.get('application_name') ?? 'weir',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
  }
}

/** Where it is, for messages. */
export function toPlace(url: string): string {
  const { host, pathname } = parse(url)
  return `${decodeURIComponent(host)}${pathname}`
}

function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !isPostgresUrl(url)) {
    throw invalid('it is no URL', 'Write postgres://USER:PASSWORD@HOST:5432/DATABASE.')
  }
  if (parsed.username === '' || parsed.pathname.length < 2) {
    throw invalid(
      'the user or the database is missing',
      'Write postgres://USER:PASSWORD@HOST:5432/DATABASE.',
    )
  }
  return parsed
}

function toSsl(parameters: URLSearchParams): ClientConfig['ssl'] {
  const mode = parameters.get('sslmode') ?? 'disable'
  if (!(SSL_MODES as readonly string[]).includes(mode)) {
    throw invalid(`sslmode ${mode} is not known`, `Use one of ${SSL_MODES.join(', ')}.`)
  }
  if (mode === 'disable') return false
  return {
    ...readOption(parameters, 'sslrootcert', 'ca'),
    ...readOption(parameters, 'sslcert', 'cert'),
    ...readOption(parameters, 'sslkey', 'key'),
    rejectUnauthorized: mode !== 'no-verify',
    // As libpq has it: the authority is checked, the name is not.
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  }
}

function readOption(
  parameters: URLSearchParams,
  name: string,
  as: 'ca' | 'cert' | 'key',
): Record<string, string> {
  const file = parameters.get(name)
  if (file === null) return {}
  try {
    return { [as]: readFileSync(file, 'utf8') }
  } catch (error) {
    throw invalid(`${name}: ${(error as Error).message}`, 'Name a file that Weir may read.')
  }
}

function invalid(reason: string, hint: string): WeirError {
  return new WeirError('invalid_config', `The PostgreSQL URL cannot be used: ${reason}.`, { hint })
}
