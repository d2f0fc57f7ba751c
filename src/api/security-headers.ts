// Headers of every answer: no framing, no guessed content type, nothing for other sites.

import type { MiddlewareHandler } from 'hono'

const YEAR_SECONDS = 31_536_000
const STRICT_TRANSPORT = `max-age=${YEAR_SECONDS}`

/** Denied to all pages, ours too. */
const NO_PERMISSIONS = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'payment',
  'publickey-credentials-get',
  'usb',
]
  .map((name) => `${name}=()`)
  .join(', ')

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // The set-up page's URL contains the one-time code.
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': NO_PERMISSIONS,
}

/** Null where the console's URL is unknown. */
export function listSecurityHeaders(publicUrl: string | null): Readonly<Record<string, string>> {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  if (!isHttps) return SECURITY_HEADERS
  return { ...SECURITY_HEADERS, 'Strict-Transport-Security': STRICT_TRANSPORT }
}

export function createSecurityHeaders(
  headers: Readonly<Record<string, string>>,
): MiddlewareHandler {
  return async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) context.header(name, value)
  }
}
