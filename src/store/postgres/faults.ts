// PostgreSQL's errors in an operator's words, and which of them pass by themselves.
// Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

import { WeirError } from '../../core/weir-error.ts'
import { StoreBusy } from '../store-busy.ts'

/** Classes of SQLSTATE that another try may cure. */
const PASSING_CLASSES: ReadonlySet<string> = new Set([
  '08', // the connection
  '25', // the state of the transaction: a time-out ended it
  '40', // serialization failures and deadlocks
  '53', // out of connections, memory or disk
  '55', // a lock that could not be had
  '57', // a time-out, or the server is stopped or starting
  '58', // the system around it
])

/** What was to be written is refused: data, constraints, sizes. */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54'])

const HINTS: ReadonlyMap<string, string> = new Map([
  ['28P01', 'Check the user and the password of the URL.'],
  ['28000', 'Check the user of the URL, and what pg_hba.conf allows it.'],
  ['3D000', 'Create the database, or correct its name in the URL.'],
  ['42501', 'Grant the user of the URL the right to use and create tables in its database.'],
  ['53300', 'Raise max_connections, or put a connection pooler in front of PostgreSQL.'],
  ['53100', 'The disk of the database server is full. Make room there.'],
  ['57014', 'A statement took too long. Look for a slow disk or a long lock on the server.'],
])
/** A table, a column or a function is missing: the database was emptied, or is an older one. */
const MISSING: ReadonlySet<string> = new Set(['42P01', '42703', '42883'])
const MIGRATE = 'Is it the right database? Run weir migrate once: it makes what is missing.'
const UNREACHABLE = 'Check that PostgreSQL runs and that its address can be reached from here.'

/** An error of `pg` that is not the server's has a system's code, or none. */
export function toStoreError(title: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof WeirError) return error
  const { code = '' } = error as { code?: string }
  const isServer = /^[0-9A-Z]{5}$/.test(code)
  const message = `${title} cannot be used: ${error.message || code}.`
  if (isServer) {
    if (MISSING.has(code)) {
      return new StoreBusy(`${title} lacks tables: ${error.message}.`, {
        cause: error,
        hint: MIGRATE,
      })
    }
    const options = { cause: error, ...hintOf(HINTS.get(code)) }
    if (PASSING_CLASSES.has(code.slice(0, 2))) return new StoreBusy(message, options)
    // A value that the server refuses is no fault of the store, and is left as it is.
    if (DATA_CLASSES.has(code.slice(0, 2))) return error
    return new WeirError('store_unusable', message, options)
  }
  return isConnectionFault(error)
    ? new StoreBusy(message, { cause: error, hint: findTlsHint(error) ?? UNREACHABLE })
    : error
}

/** By what Node's TLS and the driver say. All of it may pass: a certificate can be replaced. */
const TLS_HINTS: readonly (readonly [fault: RegExp, hint: string])[] = [
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'Renew the certificate of the database server.'],
  [
    /ALTNAME/,
    'Use a name of the server that is in its certificate, or sslmode=verify-ca, which checks no name.',
  ],
  [
    /LEAF_SIGNATURE|SELF_SIGNED|ISSUER_CERT|CERT_SIGNATURE/,
    'Add the authority that signed the certificate of the server to the URL: sslrootcert=FILE.',
  ],
  [
    /does not support SSL/,
    'Turn TLS on at the server (ssl = on), or write sslmode=disable into the URL.',
  ],
]

function findTlsHint(error: Error): string | undefined {
  const { code = '' } = error as { code?: string }
  return TLS_HINTS.find(([fault]) => fault.test(`${code} ${error.message}`))?.[1]
}

const CONNECTION_FAULT =
  /connection|timeout|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOST|ENET|terminat|socket|SSL|certificate/i

function isConnectionFault(error: Error): boolean {
  const { code = '' } = error as { code?: string }
  return CONNECTION_FAULT.test(`${code} ${error.message}`)
}

function hintOf(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint }
}

/** The constraint or the row is already there. */
export function isRepeat(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505'
}
