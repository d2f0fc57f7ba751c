// The URLs that settings accept. Must stay true: without TLS, an identity provider must be local.

const ADDRESS_CHARACTERS_MAX = 2048
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** OpenID Connect Core, section 2: a case-sensitive URL without query or fragment. */
export function isIssuer(text: string): boolean {
  const url = toPlainUrl(text)
  if (url === null) return false
  return url.protocol === 'https:' || LOOPBACK.test(url.hostname)
}

/** Without a slash at the end; null where it is not the URL of a whole host. */
export function toPublicUrl(text: string): string | null {
  const url = toPlainUrl(text)
  return url === null || url.pathname !== '/' ? null : url.origin
}

/** One that paths can be appended to: a query or credentials would get lost. */
export function isPlainUrl(text: string): boolean {
  return toPlainUrl(text) !== null
}

export function isPublicUrl(text: string): boolean {
  return toPublicUrl(text) !== null
}

function toPlainUrl(text: string): URL | null {
  const url = text.length > ADDRESS_CHARACTERS_MAX || /[?#\s\\]/.test(text) ? null : URL.parse(text)
  if (url === null || !text.includes('://')) return null
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  return isHttp && url.username === '' && url.password === '' ? url : null
}
