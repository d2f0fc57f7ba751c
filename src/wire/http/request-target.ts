// A request's target in absolute form, `http://authority/path` (RFC 9112 §3.2.2), which a client
// may send to any server. Weir goes by the path alone: it must not be asked for another host.

import type { HeaderLines } from './header-lines.ts'

const SCHEMES = ['http://', 'https://']
const SLASH = 0x2f

export interface TargetSpan {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/** Where the path begins; -1 where there is no path, or no authority in front of it. */
export function findPath({ bytes, start, end }: TargetSpan): number {
  if (bytes[start] === SLASH) return start
  const authorityAt = findAuthority({ bytes, start, end })
  if (authorityAt === -1) return -1
  const at = bytes.indexOf(SLASH, authorityAt)
  return at > authorityAt && at < end ? at : -1
}

/** A client sends the authority once more as Host; whatever says otherwise is refused. */
export function isOwnTarget(target: TargetSpan, lines: HeaderLines): boolean {
  const { bytes, start } = target
  if (bytes[start] === SLASH) return true
  const authority = bytes.toString('latin1', findAuthority(target), findPath(target)).toLowerCase()
  return authority === lines.find('host')?.toLowerCase() && !/[?#@\\]/.test(authority)
}

function findAuthority({ bytes, start, end }: TargetSpan): number {
  for (const scheme of SCHEMES) {
    const text = bytes.toString('latin1', start, Math.min(end, start + scheme.length))
    if (text.toLowerCase() === scheme) return start + scheme.length
  }
  return -1
}
