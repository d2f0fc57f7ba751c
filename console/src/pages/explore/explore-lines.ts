// Explore's question for a shell. Must stay true: each line can be pasted and asks just what the
// page asked; what is taken from an address cannot become a command.

import { toSearchText } from '../../data/search-values.ts'
import type { UsageQuestion } from '../../data/usage.ts'

/** In the order of `weir usage --help`. */
const PARAMETERS = [
  'metric',
  'dimension',
  'dim_key',
  'window',
  'month',
  'months',
  'limit',
  'api_key',
] as const

const PLAIN_WORD = /^[\w./:@%+,=][\w./:@%+,=-]*$/

/** `origin` is the API's: where this page came from. */
export function toCurlLine(origin: string, question: UsageQuestion): string {
  const ordered = Object.fromEntries(PARAMETERS.map((name) => [name, question[name]]))
  // A search part needs no escape between double quotes.
  const url = `${origin}/v1/usage${toSearchText(ordered)}`
  return `curl -H "Authorization: Bearer $WEIR_TOKEN" "${url}"`
}

export function toCliLine(question: UsageQuestion): string {
  const words = PARAMETERS.flatMap((name) => {
    const value = question[name]
    if (value === undefined) return []
    const option = `--${name.replace('_', '-')}`
    const text = String(value)
    // Otherwise it would be read as the next option.
    return text.startsWith('-') ? [`${option}=${quote(text)}`] : [option, quote(text)]
  })
  return ['weir', 'usage', ...words].join(' ')
}

function quote(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
