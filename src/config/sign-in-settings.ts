// How users sign in, as the API takes it. Must stay true: no configuration locks everyone out.

import type { SignInOptions } from '../accounts/sign-in-options.ts'
import type { ConfigFault } from './config-error.ts'
import type { CheckedConfig } from './schema.ts'
import { toPublicUrl } from './sign-in-urls.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Checks that need several settings. */
export function checkSignIn({ signIn, oidc }: CheckedConfig): ConfigFault[] {
  const { issuer, clientId } = oidc
  if (issuer !== undefined && clientId === undefined) {
    return [fault('oidc.issuer', 'is set without oidc.clientId; write both, or neither')]
  }
  if (issuer === undefined && clientId !== undefined) {
    return [fault('oidc.clientId', 'is set without oidc.issuer; write both, or neither')]
  }
  const values = `${oidc.adminValues}${oidc.viewerValues}`.trim()
  const hasWay = values !== '' || signIn.groups !== undefined || signIn.defaultRole !== 'refuse'
  if (issuer !== undefined && !hasWay) {
    const text =
      'gives no one a role; write oidc.adminValues, oidc.viewerValues, signIn.groups or signIn.defaultRole'
    return [fault('oidc.issuer', text)]
  }
  if (!signIn.password && issuer === undefined) {
    return [fault('signIn.password', 'leaves no way to sign in; write true, or set up oidc')]
  }
  return []
}

function fault(subject: string, text: string): ConfigFault {
  return { subject, origin: '', text }
}

export function toSignInOptions({ signIn, oidc, console, api }: CheckedConfig): SignInOptions {
  const { issuer, clientId } = oidc
  return {
    hasPassword: signIn.password,
    sessionMs: signIn.sessionHours * HOUR_MS,
    idleMs: signIn.idleMinutes * MINUTE_MS,
    publicUrl: toConsoleUrl({ console }),
    isTls: api.tls.cert !== undefined,
    groups: (signIn.groups ?? []).map(({ group, team, role, companyRole }) => ({
      group,
      team: team ?? null,
      role,
      companyRole: companyRole ?? null,
    })),
    defaultRole: signIn.defaultRole === 'refuse' ? null : signIn.defaultRole,
    oidc:
      issuer === undefined || clientId === undefined
        ? null
        : {
            issuer,
            clientId,
            clientSecret: oidc.clientSecret ?? null,
            name: oidc.name,
            scopes: oidc.scopes,
            roleClaim: oidc.roleClaim,
            adminValues: toValues(oidc.adminValues),
            viewerValues: toValues(oidc.viewerValues),
            groupsClaim: oidc.groupsClaim,
          },
  }
}

/** Without a final slash; null while it is not configured. */
export function toConsoleUrl({ console }: Pick<CheckedConfig, 'console'>): string | null {
  return console.publicUrl === undefined ? null : toPublicUrl(console.publicUrl)
}

function toValues(text: string): string[] {
  const values = text.split(',').map((value) => value.trim())
  return values.filter((value) => value !== '')
}
