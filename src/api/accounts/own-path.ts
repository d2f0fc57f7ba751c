// Where a browser may be sent after signing in. Must stay true: never to another site.

const PATH_CHARS_MAX = 2048
/** One slash, then anything printable but a backslash, which browsers read as a slash. */
const OWN_PATH = /^\/(?:[!-.0-[\]-~][!-[\]-~]*)?$/

/** The root where it is missing or leads elsewhere. */
export function toOwnPath(text: string | null | undefined): string {
  if (text === null || text === undefined || text.length > PATH_CHARS_MAX) return '/'
  return OWN_PATH.test(text) ? text : '/'
}
