// A page of those lines of a log that are seen. Must stay true: a page costs no more than READS_MAX
// pages of the log; it may be short, even empty, and have a next one.

const READS_MAX = 10

export interface LogPage<Line> {
  readonly lines: readonly Line[]
  /** The place to continue after; null at the end. */
  readonly next: number | null
}

export async function readSeen<Line>(
  before: number | null,
  read: (before: number | null) => Promise<LogPage<Line>>,
  view: (lines: readonly Line[]) => readonly Line[] | Promise<readonly Line[]>,
): Promise<LogPage<Line>> {
  let next = before
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const page = await read(next)
    const lines = await view(page.lines)
    ;({ next } = page)
    if (lines.length > 0 || next === null) return { lines, next }
  }
  return { lines: [], next }
}
