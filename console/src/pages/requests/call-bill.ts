// The bill of a call: units × rates = cost. Must stay true: every amount is exact, so that the
// lines add up; nothing here is a floating-point number.

import type { ExplanationAnswer } from '../../../../src/api/contract.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatExactUsd } from '../../data/format-usd.ts'

export interface BillLine {
  readonly id: string
  readonly unit: string
  readonly model: string | null
  readonly count: string
  /** `$2.50 per million`, `$0.01 each` */
  readonly rate: string
  readonly cost: string
  readonly priceVersion: string
}

/** By the names of price rules. Those listed here are tokens. */
const TOKEN_UNITS: Readonly<Record<string, string>> = {
  input: 'Input tokens',
  cache_read: 'Tokens read from cache',
  cache_read_audio: 'Tokens read from cache, audio',
  cache_read_image: 'Tokens read from cache, images',
  cache_write_5m: 'Tokens written to cache, 5 minutes',
  cache_write_1h: 'Tokens written to cache, 1 hour',
  input_audio: 'Input tokens, audio',
  input_image: 'Input tokens, images',
  output: 'Output tokens',
  reasoning: 'Reasoning tokens',
  output_audio: 'Output tokens, audio',
  output_image: 'Output tokens, images',
}

const MILLION_DIGITS = 6

export function toBillLines(lines: ExplanationAnswer['lines']): readonly BillLine[] {
  return lines.map((line, place) => {
    const tokens = Object.hasOwn(TOKEN_UNITS, line.unit) ? TOKEN_UNITS[line.unit] : undefined
    const rate =
      tokens === undefined
        ? `${formatExactUsd(line.rate_usd)} each`
        : `${formatExactUsd(shiftPoint(line.rate_usd, MILLION_DIGITS))} per million`
    return {
      id: `${place}`,
      unit: tokens ?? toUnitName(line.unit),
      model: line.model,
      count: formatCount(line.count),
      rate,
      cost: formatExactUsd(line.cost_usd),
      priceVersion: line.price_version,
    }
  })
}

/** `web_search` as `Web search`. */
function toUnitName(unit: string): string {
  const words = unit.replaceAll(/[_-]+/g, ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** Ten to the power of `digits` times a decimal text, exactly. */
export function shiftPoint(text: string, digits: number): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const padded = fraction.padEnd(digits, '0')
  const shifted = `${whole}${padded.slice(0, digits)}`.replace(/^0+(?=\d)/, '')
  const rest = padded.slice(digits)
  return `${sign}${shifted}${rest === '' ? '' : `.${rest}`}`
}

/** With several prices or models each line names its own. */
export function hasSeveral(lines: readonly BillLine[]): boolean {
  return new Set(lines.map(({ model, priceVersion }) => `${model} ${priceVersion}`)).size > 1
}
