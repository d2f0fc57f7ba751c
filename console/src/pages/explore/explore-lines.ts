// Explore's question for a shell. Must stay true: each line can be pasted and asks just what the
// page asked; what is taken from an address cannot become a command.

import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { toSearchText } from '../../data/search-values.ts'
import type { UsageQuestion } from '../../data/usage.ts'

/** In the order of `weir usage --help`. */
const USAGE_PARAMETERS = [
  'metric',
  'dimension',
  'dim_key',
  'window',
  'month',
  'months',
  'limit',
  'api_key',
] as const
const ANALYSIS_PARAMETERS = [
  'from',
  'to',
  'interval',
  'group_by',
  'filter',
  'order_by',
  'limit',
  'compare',
] as const

const PLAIN_WORD = /^[\w./:@%+,=][\w./:@%+,=-]*$/

/** `origin` is the API's: where this page came from. */
export function toUsageLines(origin: string, question: UsageQuestion) {
  const parameters = USAGE_PARAMETERS.map((name) => [name, question[name]] as const)
  return {
    command: 'weir usage',
    curl: toCurl(`${origin}/v1/usage`, parameters),
    cli: ['weir usage', ...parameters.flatMap(toWords)].join(' '),
  }
}

export function toAnalysisLines(origin: string, question: AnalysisQuestion) {
  const parameters = ANALYSIS_PARAMETERS.map((name) => [name, question[name]] as const)
  return {
    command: 'weir analyze',
    curl: toCurl(`${origin}/v1/analysis`, parameters),
    cli: ['weir analyze', ...parameters.flatMap(toWords)].join(' '),
  }
}

type Parameter = readonly [name: string, value: string | number | readonly string[] | undefined]

function toCurl(path: string, parameters: readonly Parameter[]): string {
  // A search part needs no escape between double quotes.
  const url = `${path}${toSearchText(Object.fromEntries(parameters))}`
  return `curl -H "Authorization: Bearer $WEIR_TOKEN" "${url}"`
}

function toWords([name, value]: Parameter): readonly string[] {
  const values = value === undefined ? [] : [value].flat()
  return values.flatMap((each) => {
    const option = `--${name.replace('_', '-')}`
    const text = String(each)
    // Otherwise it would be read as the next option.
    return text.startsWith('-') ? [`${option}=${quote(text)}`] : [option, quote(text)]
  })
}

function quote(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
