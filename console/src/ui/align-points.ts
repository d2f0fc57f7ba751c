// How far amounts of a column are from its right edge, so that their decimal points are below each
// other. Figures are tabular: each takes one `ch`.

export interface PointAlignment {
  readonly paddingRight: string
}

/** For each text, in order; undefined where nothing is missing or it does not end in decimals. */
export function alignPoints(
  texts: readonly (string | null)[],
): readonly (PointAlignment | undefined)[] {
  const decimals = texts.map(countDecimals)
  const most = Math.max(0, ...decimals)
  return decimals.map((count) =>
    count === 0 || count === most ? undefined : { paddingRight: `${most - count}ch` },
  )
}

function countDecimals(text: string | null): number {
  return /\.(\d+)$/.exec(text ?? '')?.[1]?.length ?? 0
}
