// Prices in words: units, rates, rules. Must stay true: a rate that is not set is shown as missing,
// never as zero.

import type {
  PriceDataAnswer,
  PriceDifference,
  PriceRuleAnswer,
  PriceUpdateAnswer,
  RateAnswer,
} from '../../../../src/api/contract.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatExactUsd, formatUsd } from '../../data/format-usd.ts'
import { formatDate, formatMonth } from '../../data/format-time.ts'
import type { PriceSubject } from './prices.ts'

const UNIT_NAMES: Readonly<Record<string, string>> = {
  input: 'Input',
  cache_read: 'Cached input',
  cache_read_audio: 'Cached audio input',
  cache_read_image: 'Cached image input',
  cache_write_5m: 'Cache write, 5 min',
  cache_write_1h: 'Cache write, 1 h',
  input_audio: 'Audio input',
  input_image: 'Image input',
  output: 'Output',
  reasoning: 'Reasoning',
  output_audio: 'Audio output',
  output_image: 'Image output',
  request: 'Per call',
  audio_ms: 'Sound, per ms',
  video_ms: 'Video, per ms',
  session_ms: 'Session, per ms',
}

/** `Cached input`, `Web search`. */
export function toUnitName(unit: string): string {
  const known = Object.hasOwn(UNIT_NAMES, unit) ? UNIT_NAMES[unit] : undefined
  if (known !== undefined) return known
  const words = unit.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

export const TOKEN_UNITS = [
  'input',
  'cache_read',
  'output',
  'cache_write_5m',
  'cache_write_1h',
  'reasoning',
  'cache_read_audio',
  'cache_read_image',
  'input_audio',
  'output_audio',
  'input_image',
  'output_image',
] as const

/** Those that a form offers. Calls count others too. */
export const OTHER_UNITS = [
  'request',
  'web_search',
  'image',
  'page',
  'character',
  'audio_ms',
  'video_ms',
] as const

/** `$2.50`, or null without a rate. A rate with steps ends in `+`: longer calls pay more. */
export function toRateCell(rates: readonly RateAnswer[], unit: string): string | null {
  const rate = rates.find((each) => each.unit === unit)
  if (rate === undefined) return null
  return `${formatExactUsd(rate.rate_usd)}${rate.steps.length > 0 ? ' +' : ''}`
}

/** `$2.50 per million`, `$0.01 each`, with the steps. */
export function toRateWords({ per, rate_usd: usd, steps }: RateAnswer): string {
  const base = `${formatExactUsd(usd)} ${per === 1 ? 'each' : 'per million'}`
  const further = steps.map(
    (step) =>
      `${formatExactUsd(step.rate_usd)} above ${formatCount(step.above_input_tokens)} input tokens`,
  )
  return [base, ...further].join('; ')
}

/** `genai-prices and LiteLLM`; empty for a price of the operator's own. */
export function toSourceWords(sources: readonly string[]): string {
  return sources.join(' and ')
}

/** Both figures of each unit in which another source differs. */
export function toDifferenceFacts({
  rates,
  listed_rates: listed,
}: PriceDifference): readonly { readonly name: string; readonly words: string }[] {
  return rates.map((rate) => {
    const own = listed.find(({ unit }) => unit === rate.unit)
    const ours = own === undefined ? 'not listed' : `listed ${toRateWords(own)}`
    return { name: toUnitName(rate.unit), words: `${toRateWords(rate)}, ${ours}` }
  })
}

/** What a rule says, in a line: `0.88 × list price`, `Input $2.50, Output $10.00`. */
export function toRuleWords({
  rates,
  multiplier,
}: Pick<PriceRuleAnswer, 'rates' | 'multiplier'>): string {
  if (multiplier !== null) return `${multiplier} × list price`
  return Object.entries(rates ?? {})
    .map(([unit, rate]) => {
      const text = typeof rate === 'string' ? rate : rate.base
      const more = typeof rate === 'string' || rate.steps.length === 0 ? '' : ' +'
      return `${toUnitName(unit)} ${formatExactUsd(text)}${more}`
    })
    .join(', ')
}

/** What calls cost before they are repriced. Those without a price cost an unknown amount. */
export function toBeforeWords(usd: string): string {
  const amount = Number(usd)
  return amount === 0 ? 'none known' : formatUsd(amount)
}

/** How a check for newer prices ended, or applying them. */
export function toUpdateWords({ result, words, doubts }: PriceUpdateAnswer) {
  switch (result) {
    case 'unchanged':
      return { tone: 'good', title: 'The prices are up to date', text: toSentence(words) }
    case 'applied':
      return {
        tone: 'good',
        title: 'Prices updated',
        text: 'They apply to calls that end from now on. Recorded calls keep their cost.',
      }
    case 'available':
    case 'waiting':
      return doubts.length === 0
        ? { tone: 'good', title: 'Newer prices', text: 'Nothing is changed yet.' }
        : { tone: 'warning', title: 'This looks like a mistake', text: toDoubtWords(doubts) }
    case 'unreachable':
    case 'timeout':
    case 'http_error':
    case 'redirect':
    case 'too_large':
    case 'invalid':
      return {
        tone: 'warning',
        title: 'No newer prices',
        text: `${toSentence(words)} Nothing was changed.`,
      }
  }
}

type Corrections = PriceUpdateAnswer['corrections']

const STANDING_TITLES = {
  unchanged: "Weir's corrections that stay: the data still has what was corrected",
  older: "Weir's corrections that stay: the data is not newer",
  'no-price': "Weir's corrections that stay: the data has no price for these models",
}

/** What becomes of Weir's own corrections; groups without any are left out. */
export function toCorrectionGroups(corrections: Corrections) {
  const { replaced, replaced_models: models, standing_models: standing } = corrections
  const groups = (['unchanged', 'older', 'no-price'] as const).map((why) => {
    const own = standing.filter((each) => each.why === why)
    return { title: STANDING_TITLES[why], models: own, total: own.length }
  })
  const first = { title: "Weir's corrections that are replaced", models, total: replaced }
  return [first, ...groups].filter(({ total }) => total > 0)
}

/** Without the rates that are indented below a sentence: the table has them all. */
function toDoubtWords(doubts: readonly string[]): string {
  const sentences = doubts.filter((line) => !line.startsWith(' '))
  return sentences.map((line) => line.replace(/:$/, '.')).join(' ')
}

/** `Last checked 15 Nov 2026: nothing new was published.` Empty where nobody ever did. */
export function toLastUpdateWords({ last_update: last }: PriceDataAnswer): string {
  return last === null ? '' : `Last checked ${formatDate(last.at)}: ${last.words}.`
}

function toSentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`
}

/** `openai/gpt-4o`, as the address has it: a provider's id contains no slash. */
export function toSubjectText({ provider, model }: PriceSubject): string {
  return `${provider}/${model}`
}

export function fromSubjectText(text: string | undefined): PriceSubject | null {
  const at = text?.indexOf('/') ?? -1
  if (text === undefined || at < 1 || at === text.length - 1) return null
  return { provider: text.slice(0, at), model: text.slice(at + 1) }
}

/** `2026-09` to `2026-11` as `Sep 2026 to Nov 2026`. */
export function toMonthsWords(first: string, last: string): string {
  return first === last ? toMonth(first) : `${toMonth(first)} to ${toMonth(last)}`
}

function toMonth(month: string): string {
  return formatMonth(`${month}-01`)
}
