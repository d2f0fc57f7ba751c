// The rows of the settings store. Lists and dimensions are JSON texts. Of keys and tokens only the
// hash is stored, never the secret.

import { TOKEN_SCOPES } from '../../../core/api-key.ts'
import type { AccessToken, ApiKey, TokenScope } from '../../../core/api-key.ts'
import { assert } from '../../../core/assert.ts'
import type { KeySettings } from '../key-store.ts'

export interface KeyRow {
  id: string
  name: string
  secret_hash: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  allowed_models: string
  allowed_providers: string
  default_dims: string
  locked_dims: string
  required_dims: string
  rate_limit_rpm: number | null
  max_parallel: number | null
  owner: string | null
  note: string | null
  use_credentials: string
  /** 0 or 1. */
  allow_derived_tokens: number
  old_secret_hash: string | null
  old_secret_ends_at: number | null
  version: number
  /** The store's revision at which this key was created or last changed. */
  revision: number
}

export interface TokenRow {
  id: string
  name: string
  secret_hash: string
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

export function toChangedColumns<Row extends object>(
  row: Row,
  columns: Partial<Row>,
): Partial<Row> {
  const names = (Object.keys(columns) as (keyof Row & string)[]).filter(
    (name) => columns[name] !== row[name],
  )
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Partial<Row>
}

/** Only the columns in an administrator's change; the rest stay as they are. */
export function toKeyColumns(settings: KeySettings): Omit<KeyRow, KeyOwnColumn>
export function toKeyColumns(settings: Partial<KeySettings>): Partial<Omit<KeyRow, KeyOwnColumn>>
export function toKeyColumns(change: Partial<KeySettings>): Partial<Omit<KeyRow, KeyOwnColumn>> {
  const columns: Partial<Omit<KeyRow, KeyOwnColumn>> = {}
  if (change.name !== undefined) columns.name = change.name
  if (change.owner !== undefined) columns.owner = change.owner
  if (change.note !== undefined) columns.note = change.note
  if (change.expiresAt !== undefined) columns.expires_at = change.expiresAt
  if (change.allowedModels !== undefined) {
    columns.allowed_models = JSON.stringify(change.allowedModels)
  }
  if (change.allowedProviders !== undefined) {
    columns.allowed_providers = JSON.stringify(change.allowedProviders)
  }
  if (change.useCredentials !== undefined) {
    columns.use_credentials = JSON.stringify(change.useCredentials)
  }
  if (change.allowDerivedTokens !== undefined) {
    columns.allow_derived_tokens = Number(change.allowDerivedTokens)
  }
  if (change.defaultDims !== undefined) columns.default_dims = JSON.stringify(change.defaultDims)
  if (change.lockedDims !== undefined) columns.locked_dims = JSON.stringify(change.lockedDims)
  if (change.requiredDims !== undefined) columns.required_dims = JSON.stringify(change.requiredDims)
  if (change.rateLimitRpm !== undefined) columns.rate_limit_rpm = change.rateLimitRpm
  if (change.maxParallel !== undefined) columns.max_parallel = change.maxParallel
  return columns
}

type KeyOwnColumn =
  | 'id'
  | 'secret_hash'
  | 'old_secret_hash'
  | 'old_secret_ends_at'
  | 'created_at'
  | 'revoked_at'
  | 'version'
  | 'revision'

export function fromKeyRow(row: KeyRow): ApiKey {
  const { old_secret_hash: hash, old_secret_ends_at: endsAt } = row
  return {
    id: row.id,
    name: row.name,
    owner: row.owner,
    note: row.note,
    secretHash: row.secret_hash,
    oldSecret: hash === null || endsAt === null ? null : { hash, endsAt },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    allowedModels: parseList(row.allowed_models),
    allowedProviders: parseList(row.allowed_providers),
    useCredentials: parseList(row.use_credentials),
    allowDerivedTokens: row.allow_derived_tokens === 1,
    defaultDims: parseDimsColumn(row.default_dims),
    lockedDims: parseDimsColumn(row.locked_dims),
    requiredDims: parseList(row.required_dims),
    rateLimitRpm: row.rate_limit_rpm,
    maxParallel: row.max_parallel,
    version: row.version,
  }
}

export function fromTokenRow(row: TokenRow): AccessToken {
  return {
    id: row.id,
    name: row.name,
    secretHash: row.secret_hash,
    scopes: parseList(row.scopes).filter(isScope),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

/** A scope that this Weir does not know grants nothing. */
function isScope(scope: string): scope is TokenScope {
  return (TOKEN_SCOPES as readonly string[]).includes(scope)
}

function parseList(text: string): string[] {
  const list: unknown = JSON.parse(text)
  assert(Array.isArray(list) && list.every(isText), 'a stored list contains texts')
  return list
}

function parseDimsColumn(text: string): Record<string, string> {
  const dims: unknown = JSON.parse(text)
  assert(typeof dims === 'object' && dims !== null, 'stored dimensions are an object')
  assert(Object.values(dims).every(isText), 'stored dimensions are texts')
  return dims as Record<string, string>
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
