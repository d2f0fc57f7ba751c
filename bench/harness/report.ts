// What a benchmark prints: figures in columns, and the bars that they must meet, one by one.

export interface Limit {
  readonly limit: number
  readonly unit: string
  readonly digits?: number
}

export interface Bar extends Limit {
  readonly claim: string
  /** Null when a peer was not there to compare with. */
  readonly figure: number | null
  readonly side: 'at most' | 'at least'
}

const DIGITS = 2

export function atMost(claim: string, figure: number | null, limit: Limit): Bar {
  return { claim, figure, side: 'at most', ...limit }
}

export function atLeast(claim: string, figure: number | null, limit: Limit): Bar {
  return { claim, figure, side: 'at least', ...limit }
}

/** False when one is missed. A bar that could not be tried says so and counts as neither. */
export function printBars(bars: readonly Bar[]): boolean {
  const claimWidth = Math.max(...bars.map((bar) => bar.claim.length))
  if (bars.length > 0) console.log('\nBars')
  for (const bar of bars) {
    const format = (value: number): string => value.toFixed(bar.digits ?? DIGITS)
    const figure = bar.figure === null ? '' : format(bar.figure)
    const limit = `${bar.side} ${format(bar.limit)} ${bar.unit}`
    const verdict = bar.figure === null ? 'not run' : isMet(bar) ? 'met' : 'MISSED'
    console.log(
      `  ${bar.claim.padEnd(claimWidth)}  ${figure.padStart(9)}  ${limit.padEnd(30)}  ${verdict}`,
    )
  }
  return bars.every(isMet)
}

/** A figure that is no number meets nothing. */
function isMet({ figure, side, limit }: Bar): boolean {
  if (figure === null) return true
  return side === 'at most' ? figure <= limit : figure >= limit
}

/** Names to the left, numbers to the right. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  console.log(`\n${title}`)
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    console.log(`  ${cells.join('   ')}`.trimEnd())
  }
}
