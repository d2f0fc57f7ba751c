// The API with an administrator and a viewer who can sign in to it.

import assert from 'node:assert/strict'
import type { ApiOptions } from '../../src/api/api-options.ts'
import { createPasswords } from '../../src/accounts/passwords.ts'
import type { User, UserRole } from '../../src/core/user.ts'
import { createBrowser } from './browser.ts'
import type { Browser } from './browser.ts'
import { CHEAP_COST, openApi } from './open-api.ts'
import type { OpenApi } from './open-api.ts'

export const PASSWORD = 'correct horse battery'

export const SIGN_IN_NOW = Date.parse('2026-03-15T12:00:00.000Z')

export interface SignInScene extends OpenApi {
  readonly admin: User
  readonly viewer: User
  browser(): Browser
  addUser(email: string, role: UserRole): Promise<User>
  signIn(email: string): Promise<Browser>
  /** Moves both clocks. */
  pass(ms: number): void
}

export async function openSignInScene(
  change: Partial<ApiOptions> = {},
  nowMs = SIGN_IN_NOW,
): Promise<SignInScene> {
  const api = await openApi(nowMs, () => change)
  const addUser = async (email: string, role: UserRole): Promise<User> =>
    api.settings.users.create({
      email,
      name: email.slice(0, email.indexOf('@')),
      role,
      passwordHash: await createPasswords().hash(PASSWORD, CHEAP_COST),
      subject: null,
    })
  const browser = (): Browser => createBrowser(api.url)
  return {
    ...api,
    admin: await addUser('ada@example.com', 'admin'),
    viewer: await addUser('vera@example.com', 'viewer'),
    browser,
    addUser,
    signIn: async (email) => {
      const signedIn = browser()
      const body = { email, password: PASSWORD }
      const response = await signedIn.ask('/v1/session', { method: 'POST', body })
      assert.equal(response.status, 201, await response.text())
      return signedIn
    },
    pass: (ms) => {
      api.clock.nowMs += ms
      api.clock.monotonicMs += ms
    },
  }
}

export async function errorCode(response: Response): Promise<readonly [number, string]> {
  const { code } = (await response.json()) as { readonly code: string }
  return [response.status, code]
}
