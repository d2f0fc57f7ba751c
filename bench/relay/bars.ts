// The bars that a benchmark's figures must meet: printed one by one, and the exit code when one is
// missed.

export interface Bar {
  readonly claim: string
  /** Null when a peer was not there to compare with. */
  readonly figure: number | null
  readonly limit: number
  /** Whether the figure may not be above the limit, or not below it. */
  readonly side: 'at most' | 'at least'
  readonly unit: string
  readonly digits?: number
}

const DIGITS = 2

/** False when one is missed. A bar that could not be tried says so and counts as neither. */
export function printBars(bars: readonly Bar[]): boolean {
  const claimWidth = Math.max(...bars.map((bar) => bar.claim.length))
  console.log('\nBars')
  for (const bar of bars) {
    const format = (value: number): string => value.toFixed(bar.digits ?? DIGITS)
    const figure = bar.figure === null ? '' : format(bar.figure)
    const limit = `${bar.side} ${format(bar.limit)} ${bar.unit}`
    console.log(
      `  ${bar.claim.padEnd(claimWidth)}  ${figure.padStart(9)}  ${limit.padEnd(30)}  ${verdict(bar)}`,
    )
  }
  return bars.every((bar) => bar.figure === null || isMet(bar, bar.figure))
}

function verdict(bar: Bar): string {
  if (bar.figure === null) return 'not run'
  return isMet(bar, bar.figure) ? 'met' : 'MISSED'
}

/** A figure that is no number meets nothing. */
function isMet({ side, limit }: Bar, figure: number): boolean {
  return side === 'at most' ? figure <= limit : figure >= limit
}
