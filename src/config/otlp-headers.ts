// Headers for a collector, written as other programs write OTEL_EXPORTER_OTLP_HEADERS:
// `name=value,name=value`, with percent-encoded values.

const PAIRS_MAX = 32
/** RFC 9110, sections 5.1 and 5.5: a token, and visible ASCII with blanks inside. */
const NAME = /^[!#$%&'*+.^_`|~\w-]{1,128}$/
const VALUE = /^[!-~](?:[\t -~]*[!-~])?$/
/** The exporter's own, and those of the connection. */
const TAKEN: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
])

/** Null where a pair is malformed, or a header is not the operator's to set. */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(',').map(parsePair)
  if (pairs.length > PAIRS_MAX || pairs.includes(null)) return null
  return Object.fromEntries(pairs as (readonly [string, string])[])
}

function parsePair(text: string): readonly [name: string, value: string] | null {
  const at = text.indexOf('=')
  const name = text.slice(0, Math.max(0, at)).trim()
  const value = decode(text.slice(at + 1).trim())
  if (!NAME.test(name) || TAKEN.has(name.toLowerCase())) return null
  return value === null || !VALUE.test(value) ? null : [name, value]
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
