// How people sign in, as it is without any configuration.

import type { SignInOptions } from '../../src/accounts/sign-in-options.ts'

export const SIGN_IN: SignInOptions = {
  hasPassword: true,
  sessionMs: 7 * 86_400_000,
  idleMs: 86_400_000,
  publicUrl: null,
  isTls: false,
  oidc: null,
  groups: [],
  defaultRole: null,
}
