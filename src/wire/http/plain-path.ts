// A path in its plain spelling, to find out which call it is; what goes on stays as it came. Must
// stay true: the plain path leads every server to the same call as the path itself; what only some
// servers do, such as undoing an escaped slash, is in the further readings.

/** Most paths have nothing of this: they are their own plain path. */
const UNPLAIN = /%|\/\/|.\/$/
const ESCAPE = /%([0-9a-f]{2})/gi
/** Undone, these would end a segment or the path, or begin another escape. */
const KEPT = new Set('%/\\?#;')
/** Escapes of escapes of escapes: servers behind proxies undo them one after the other. */
const ROUNDS_MAX = 3
/** Without any of these there is one reading only. */
const READ_FURTHER = /[%;A-Z]/
const PATH_END = /[;?#\0][^]*$/
const NONE: readonly string[] = []

/** Without escapes of plain letters, empty segments and a slash at the end. */
export function toPlainPath(path: string): string {
  if (!UNPLAIN.test(path)) return path
  return join(path.replace(ESCAPE, (escape, hex: string) => decode(hex, escape)))
}

/**
 * What some servers make of it: escapes are undone more than once, escaped slashes and backslashes
 * are slashes, a segment's parameters (`;v=1`) are dropped, letters are read in either case, and an
 * escaped question mark, or what begins a parameter, ends the path.
 */
export function furtherReadings(plainPath: string): readonly string[] {
  if (!READ_FURTHER.test(plainPath)) return NONE
  let path = plainPath
  for (let round = 0; round < ROUNDS_MAX && path.includes('%'); round++) {
    path = path.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  const slashed = path.replaceAll('\\', '/')
  const loose = join(slashed.replace(/;[^/]*/g, ''))
  const cut = join(slashed.replace(PATH_END, ''))
  const readings = [loose, cut, loose.toLowerCase(), cut.toLowerCase()]
  return [...new Set(readings)].filter((reading) => reading !== plainPath)
}

/** A visible character that is part of its segment, wherever it stands; else the escape. */
function decode(hex: string, escape: string): string {
  const code = Number.parseInt(hex, 16)
  const character = String.fromCharCode(code)
  return code > 0x20 && code < 0x7f && !KEPT.has(character) ? character : escape
}

function join(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
}
