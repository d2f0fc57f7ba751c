// Adds up the lines of an explanation as anyone can: exactly, then rounded half-even to 1e-12 USD.

import { divideHalfEven } from '../../src/core/money.ts'
import type { Money } from '../../src/core/money.ts'
import { RATE_DIGITS, RATES_PER_MONEY } from '../../src/pricing/tables/price-table.ts'

export function sumLines(lines: readonly { readonly costUsd: string }[]): Money {
  let total = 0n
  for (const { costUsd } of lines) {
    const [whole = '', fraction = ''] = costUsd.split('.')
    total += BigInt(whole + fraction.padEnd(RATE_DIGITS, '0'))
  }
  return divideHalfEven(total, RATES_PER_MONEY)
}
