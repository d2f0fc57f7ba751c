// People, sessions and the audit log as the OpenAPI document shows them.

import type {
  AuditPageAnswer,
  ErrorBody,
  NewUserBody,
  SessionAnswer,
  SessionList,
  SignIn,
  UserChangeBody,
  UserLinkAnswer,
  UserRow,
} from '../contract.ts'

const AT = '2026-03-15T12:00:00.000Z'
const END = '2026-03-22T12:00:00.000Z'

export const SIGN_IN_EXAMPLE: SignIn = {
  needs_setup: false,
  has_password: true,
  oidc_name: 'Example SSO',
}

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
}

export const SESSION_EXAMPLE: SessionAnswer = {
  id: 'session_0123456789abcdef',
  user: USER_EXAMPLE,
  scopes: ['admin'],
  created_at: AT,
  expires_at: END,
}

export const SESSION_LIST_EXAMPLE: SessionList = {
  rows: [
    {
      id: 'session_0123456789abcdef',
      is_current: true,
      created_at: AT,
      last_seen_at: AT,
      expires_at: END,
      agent: 'Mozilla/5.0',
      address: '192.0.2.7',
    },
  ],
}

export const SETUP_EXAMPLE = {
  code: 'as-in-the-link',
  email: 'ada@example.com',
  name: 'Ada',
  password: 'twelve letters or more',
}
export const WELCOME_EXAMPLE = { code: 'as-in-the-link', password: 'twelve letters or more' }
export const SESSION_REQUEST_EXAMPLE = {
  email: 'ada@example.com',
  password: 'twelve letters or more',
}
export const PASSWORD_EXAMPLE = {
  current_password: 'twelve letters or more',
  password: 'thirteen letters or more',
}

export const NEW_USER_EXAMPLE: NewUserBody = {
  email: 'grace@example.com',
  name: 'Grace',
  role: 'viewer',
}
export const USER_CHANGE_EXAMPLE: UserChangeBody = { name: 'Ada L.' }

export const USER_LINK_EXAMPLE: UserLinkAnswer = {
  user: {
    ...USER_EXAMPLE,
    id: 'user_fedcba9876543210',
    ...NEW_USER_EXAMPLE,
    has_password: false,
    last_sign_in_at: null,
  },
  path: '/welcome?code=shown-this-once',
  expires_at: '2026-03-18T12:00:00.000Z',
}

export const AUDIT_PAGE_EXAMPLE: AuditPageAnswer = {
  rows: [
    {
      number: 42,
      at: AT,
      actor: { kind: 'user', id: USER_EXAMPLE.id, name: USER_EXAMPLE.email },
      action: 'user.update',
      subject: { id: 'user_fedcba9876543210', name: 'grace@example.com' },
      changes: { role: { before: 'viewer', after: 'admin' } },
    },
  ],
  next_cursor: null,
}

export const SIGN_IN_REFUSED_EXAMPLE: ErrorBody = {
  error: 'The email address or the password is wrong.',
  code: 'sign_in_refused',
}
export const CROSS_SITE_EXAMPLE: ErrorBody = {
  error:
    "This was not asked for by a page of Weir's own. Programs send an access token instead of a cookie.",
  code: 'cross_site',
}
export const TOO_MANY_ATTEMPTS_EXAMPLE: ErrorBody = {
  error: 'Too many attempts to sign in have failed. Try again in 840 s.',
  code: 'rate_limited',
}
