// The figures of a sum as columns. Money is whole dollars plus a remainder in 1e-12: one integer
// would overflow at $9.2 million. Must stay true: the remainder is in [0, 1) dollar after every
// addition.

import type { Money } from '../../../core/money.ts'
import { FIGURE_NAMES, isMoneyFigure } from '../../../core/usage-figures.ts'
import type { FigureName, UsageFigures } from '../../../core/usage-figures.ts'
import type { Dialect } from './dialect.ts'
import { fromStoredMoney } from './record-row.ts'

const PICOS = 10 ** 12
const PICO = BigInt(PICOS)
const DOLLARS = /e12$/

function toColumn(name: FigureName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function columnsOf(name: FigureName): string[] {
  const column = toColumn(name)
  return isMoneyFigure(name) ? [`${column}_usd`, `${column}_pico`] : [column]
}

export const FIGURE_COLUMNS: readonly string[] = FIGURE_NAMES.flatMap(columnsOf)

/** Remainders are carried, so that money can be compared as it stands. */
export function sumColumns(
  { divide }: Pick<Dialect, 'divide'>,
  names: readonly FigureName[] = FIGURE_NAMES,
): string {
  return FIGURE_NAMES.flatMap((name) => {
    const columns = columnsOf(name)
    if (!names.includes(name)) return columns.map((column) => `0 AS ${column}`)
    if (!isMoneyFigure(name)) return columns.map((column) => `SUM(${column}) AS ${column}`)
    const [dollars, remainder] = columns as [string, string]
    return [
      `SUM(${dollars}) + ${divide(`SUM(${remainder})`, String(PICO))} AS ${dollars}`,
      `SUM(${remainder}) % ${PICO} AS ${remainder}`,
    ]
  }).join(', ')
}

/** For `ON CONFLICT … DO UPDATE SET`, with the table's name as `total_rollup.`. */
export function addColumns(kept = ''): string {
  return FIGURE_NAMES.flatMap((name) => {
    const columns = columnsOf(name)
    if (!isMoneyFigure(name)) {
      return columns.map((column) => `${column} = ${kept}${column} + excluded.${column}`)
    }
    const [dollars, remainder] = columns as [string, string]
    const remainders = `(${kept}${remainder} + excluded.${remainder})`
    return [
      `${dollars} = ${kept}${dollars} + excluded.${dollars} + ${remainders} / ${PICO}`,
      `${remainder} = ${remainders} % ${PICO}`,
    ]
  }).join(', ')
}

const IS_MONEY = FIGURE_NAMES.map(isMoneyFigure)

/** In the order of FIGURE_COLUMNS. A batch has some ten thousand of them, hence the plain loop. */
export function toColumns(figures: UsageFigures): (bigint | number)[] {
  const columns: (bigint | number)[] = []
  for (let index = 0; index < FIGURE_NAMES.length; index += 1) {
    const value = figures[FIGURE_NAMES[index] as FigureName]
    if (IS_MONEY[index] === true) addDollars(columns, value as Money)
    else columns.push(value)
  }
  return columns
}

/** As toDollars; most sums fit into one exact number, which is faster. */
function addDollars(columns: (bigint | number)[], amount: Money): void {
  const number = Number(amount)
  if (!Number.isSafeInteger(number)) {
    columns.push(...toDollars(amount))
    return
  }
  const dollars = Math.floor(number / PICOS)
  columns.push(dollars, number - dollars * PICOS)
}

/** In the order of FIGURE_COLUMNS. Each value is an exact number; their sum need not be. */
export function fromColumns(values: readonly (bigint | number)[]): UsageFigures {
  const figures: Record<string, bigint | number> = {}
  let at = 0
  for (const name of FIGURE_NAMES) {
    const value = values[at++] as bigint | number
    figures[name] = isMoneyFigure(name)
      ? toMoney(value, values[at++] as bigint | number)
      : Number(value)
  }
  return figures as UsageFigures
}

/** Most sums fit into one exact number, which is faster. */
function toMoney(dollars: bigint | number, remainder: bigint | number): Money {
  if (typeof dollars === 'number' && typeof remainder === 'number') {
    const amount = dollars * PICOS + remainder
    if (Number.isSafeInteger(amount)) return BigInt(amount)
  }
  return fromDollars(BigInt(dollars), BigInt(remainder))
}

/** Rounds down, also below zero: the carry needs a remainder that is not negative. */
export function toDollars(amount: Money): [dollars: bigint, remainder: bigint] {
  const remainder = ((amount % PICO) + PICO) % PICO
  return [(amount - remainder) / PICO, remainder]
}

export function fromDollars(dollars: bigint, remainder: bigint): Money {
  return dollars * PICO + remainder
}

/** What Dialect.sumCosts gave: amounts one after the other, whole dollars as `5e12`. */
export function fromCostSum(text: string): Money {
  return text.split(' ').reduce((sum, amount) => sum + fromAmount(amount), 0n)
}

function fromAmount(amount: string): Money {
  const digits = amount.replace(DOLLARS, '')
  return digits === amount ? fromStoredMoney(amount) : BigInt(digits) * PICO
}
