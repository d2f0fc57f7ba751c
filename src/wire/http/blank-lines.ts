// Blank lines in front of a message's first line, which old peers send behind a body: RFC 9112 §2.2
// asks a reader to ignore at least one.

/** More is no habit of old peers any more. */
export const BLANK_LINES_MAX = 4

const CR = 0x0d
const LF = 0x0a

/** The offset behind at most `linesMax` blank lines. Only CR LF is one, as everywhere here. */
export function skipBlankLines(bytes: Buffer, from: number, linesMax: number): number {
  let at = from
  const end = from + 2 * linesMax
  while (at < end && bytes[at] === CR && bytes[at + 1] === LF) at += 2
  return at
}
