// Users and sessions as the OpenAPI document shows them.

import { header } from '../route-answers.ts'
import type { SessionAnswer, UserRow } from './account-contract.ts'

export const AT = '2026-03-15T12:00:00.000Z'
export const END = '2026-03-22T12:00:00.000Z'
export const PASSWORD = 'twelve letters or more'

export const USER_EXAMPLE: UserRow = {
  id: 'user_0123456789abcdef',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin',
  has_password: true,
  is_oidc: false,
  is_disabled: false,
  created_at: AT,
  last_sign_in_at: AT,
  version: 12,
}

export const SESSION_EXAMPLE: SessionAnswer = {
  id: 'session_0123456789abcdef',
  user: USER_EXAMPLE,
  scopes: ['admin'],
  created_at: AT,
  expires_at: END,
}

export const COOKIE = {
  'Set-Cookie': header(
    '`weir_session=…; Path=/; HttpOnly; SameSite=Strict`; signing in sets `weir_browser` too.',
  ),
}
