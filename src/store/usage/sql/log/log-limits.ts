// How much of the request log one question may examine, on any engine.

/** Of one question: beyond it, a count is incomplete and sorting is refused. */
export const SCANNED_ROWS_MAX = 500_000
/** Of a page. */
export const EXAMINED_MAX = 50_000
export const VERSIONS_MAX = 1000
const ROWS_MAX = 1000

export function toRowsMax(rowsMax: number): number {
  return Math.max(1, Math.min(rowsMax, ROWS_MAX))
}
