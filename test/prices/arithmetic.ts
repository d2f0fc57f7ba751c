// A calculator for the tables' arithmetic: decimals, `×`, `/`, `+` and brackets, as exact
// fractions. It shares nothing with the program: what it comes to is a second opinion on every
// cost.

import assert from 'node:assert/strict'

interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

const TOKEN = /\d+(?:\.\d+)?(?:e\d+)?|[×/+()]/g
const DIGITS = 12

/** USD as a decimal of at most twelve digits behind the point; ties go to the even one. */
export function calculate(text: string): string {
  const tokens = text.match(TOKEN) ?? []
  assert.equal(tokens.join(''), text.replaceAll(' ', ''), `arithmetic ${text}`)
  const value = readSum(tokens)
  assert.equal(tokens.length, 0, `arithmetic ${text}`)
  return toDecimal(value)
}

/** Takes what it reads off the front of the list. */
function readSum(tokens: string[]): Fraction {
  let sum = readProduct(tokens)
  while (tokens[0] === '+') {
    tokens.shift()
    const next = readProduct(tokens)
    sum = {
      over: sum.over * next.under + next.over * sum.under,
      under: sum.under * next.under,
    }
  }
  return sum
}

function readProduct(tokens: string[]): Fraction {
  let product = readFactor(tokens)
  while (tokens[0] === '×' || tokens[0] === '/') {
    const isTimes = tokens.shift() === '×'
    const next = readFactor(tokens)
    const [over, under] = isTimes ? [next.over, next.under] : [next.under, next.over]
    product = { over: product.over * over, under: product.under * under }
  }
  return product
}

function readFactor(tokens: string[]): Fraction {
  const token = tokens.shift() ?? ''
  if (token === '(') {
    const inner = readSum(tokens)
    assert.equal(tokens.shift(), ')')
    return inner
  }
  const [, whole = '', digits = '', zeros = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e(\d+))?$/.exec(token) ?? []
  assert.ok(whole !== '', `a number, not "${token}"`)
  return {
    over: BigInt(whole + digits) * 10n ** BigInt(zeros),
    under: 10n ** BigInt(digits.length),
  }
}

function toDecimal({ over, under }: Fraction): string {
  const scaled = over * 10n ** BigInt(DIGITS)
  const rest = (scaled % under) * 2n
  const floor = scaled / under
  const isUp = rest > under || (rest === under && floor % 2n === 1n)
  const digits = (isUp ? floor + 1n : floor).toString().padStart(DIGITS + 1, '0')
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '')
  return digits.slice(0, -DIGITS) + (fraction === '' ? '' : `.${fraction}`)
}
