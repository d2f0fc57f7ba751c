// Keys and tokens as the OpenAPI document shows them. A test reads each with the schema it stands for.

import type {
  CreatedKeyAnswer,
  CreatedTokenAnswer,
  ErrorBody,
  KeyAnswer,
  KeyChangeBody,
  KeyCheckAnswer,
  KeyCheckRequest,
  KeyPage,
  KeyRow,
  NewKeyBody,
  NewTokenBody,
  TokenRowAnswer,
} from '../contract.ts'

const SECRET = 'mS0mEtH1ngThatIsShownOnce_4f6a8c0e2b1d3f57'

export const NEW_KEY_EXAMPLE: NewKeyBody = {
  name: 'Search team',
  allowed_models: ['some-maker/*', 'other-maker/large-*'],
  allowed_providers: ['some-provider', 'other-provider'],
  default_dims: { app: 'search' },
  locked_dims: { team: 'search' },
  required_dims: ['env'],
  rate_limit_rpm: 600,
  max_parallel: 32,
  expires_at: null,
}

export const KEY_CHANGE_EXAMPLE: KeyChangeBody = { rate_limit_rpm: 1200, max_parallel: null }

export const KEY_EXAMPLE: KeyAnswer = {
  id: 'svc_k_7h2m9x4q8r1t5w3z',
  status: 'active',
  name: 'Search team',
  created_at: '2026-02-20T09:30:00.000Z',
  expires_at: null,
  revoked_at: null,
  allowed_models: ['some-maker/*', 'other-maker/large-*'],
  allowed_providers: ['some-provider', 'other-provider'],
  default_dims: { app: 'search' },
  locked_dims: { team: 'search' },
  required_dims: ['env'],
  rate_limit_rpm: 600,
  max_parallel: 32,
}

export const KEY_ROW_EXAMPLE: KeyRow = { ...KEY_EXAMPLE, spent_usd: 640.25 }

export const KEY_PAGE_EXAMPLE: KeyPage = {
  rows: [KEY_ROW_EXAMPLE],
  total: 1,
  spent_as_of: '2026-03-15T12:00:00.000Z',
  next_cursor: null,
}

export const CREATED_KEY_EXAMPLE: CreatedKeyAnswer = {
  ...KEY_EXAMPLE,
  key: `${KEY_EXAMPLE.id}.${SECRET}`,
}

export const KEY_CHECK_REQUEST_EXAMPLE: KeyCheckRequest = {
  provider: 'some-provider',
  model: 'large-2026-01-15',
  allowed_models: ['some-provider/*'],
}

export const KEY_CHECK_EXAMPLE: KeyCheckAnswer = {
  allowed: true,
  reason: 'The pattern some-provider/* allows some-provider/large-2026-01-15.',
  slug: 'some-provider/large-2026-01-15',
  pattern: 'some-provider/*',
}

export const NEW_TOKEN_EXAMPLE: NewTokenBody = {
  name: 'Finance report',
  scopes: ['read:usage', 'read:keys'],
  expires_at: null,
}

export const TOKEN_EXAMPLE: TokenRowAnswer = {
  id: 'svc_agt_3k8d1f6h9j2n5p7s',
  status: 'active',
  name: 'Finance report',
  scopes: ['read:usage', 'read:keys'],
  created_at: '2026-02-20T09:30:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: '2026-03-15T11:58:00.000Z',
}

export const CREATED_TOKEN_EXAMPLE: CreatedTokenAnswer = {
  ...TOKEN_EXAMPLE,
  last_used_at: null,
  token: `${TOKEN_EXAMPLE.id}.${SECRET}`,
}

export const INVALID_KEY_EXAMPLE: ErrorBody = {
  error:
    'The body is refused: missing: name must have 1 to 100 characters and no control characters; ' +
    'rate_limit_rpm must be a whole number from 1 to 1000000, or null.',
  code: 'invalid_parameter',
}

export const NO_KEY_EXAMPLE: ErrorBody = {
  error: 'There is no such key. GET /v1/keys lists them.',
  code: 'not_found',
}
