// Where sources of price data differ, in a line of text, with both figures of each unit.

import type { RateAnswer } from '../contract.ts'

type Rate = Omit<RateAnswer, 'steps'> & { readonly steps: readonly RateAnswer['steps'][number][] }

interface Difference {
  readonly source: string
  readonly rates: readonly Rate[]
  readonly listed_rates: readonly Rate[]
}

/** `LiteLLM has input 2.5 (listed 2), output 10 (listed 8) USD / million`. */
export function describeDifference(difference: Difference): string {
  const { source, rates, listed_rates: listed } = difference
  const describe = (rate: Rate): string => {
    const own = listed.find(({ unit }) => unit === rate.unit)
    const words = own === undefined ? 'not listed' : `listed ${formatFigure(own)}`
    return `${rate.unit} ${formatFigure(rate)} (${words})`
  }
  const groups = [
    { words: 'USD / million', list: rates.filter(({ per }) => per > 1) },
    { words: 'USD each', list: rates.filter(({ per }) => per === 1) },
  ]
  const texts = groups
    .filter(({ list }) => list.length > 0)
    .map(({ words, list }) => `${list.map(describe).join(', ')} ${words}`)
  return `${source} has ${texts.join('; ')}`
}

function formatFigure({ rate_usd: usd, steps }: Rate): string {
  if (steps.length === 0) return usd
  const further = steps.map((step) => `${step.rate_usd} above ${step.above_input_tokens}`)
  return `${usd}, ${further.join(', ')} input tokens`
}
