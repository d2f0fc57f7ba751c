// Which header lines go on and which stay. Connection headers concern one hop only (RFC 9110 §7.6.1);
// X-SVC-* is between the caller and Weir. Framing headers go on: the body's framing goes on with them.

import type { HeaderLine } from './http-head.ts'

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection'])
// Framing goes on as it stands, even where `Connection` names it.
const CONNECTION_NAMED_KEPT = new Set(['te', 'trailer'])

interface Hop {
  readonly headers: readonly HeaderLine[]
  readonly connection: readonly string[]
}

/** The head that goes to the upstream, blank line included. */
export function writeRequestHead(
  head: Hop & { readonly method: string; readonly minor: number; readonly isUpgrade: boolean },
  path: string,
  host: string,
): string {
  let text = `${head.method} ${path} HTTP/1.${head.minor}\r\n`
  let hasHost = false
  for (const header of head.headers) {
    if (header.name === 'host') {
      // In the place where the caller's Host stood: the order of headers is kept.
      text += `${header.line.slice(0, 4)}: ${host}\r\n`
      hasHost = true
    } else if (!header.name.startsWith('x-svc-') && goesOn(header, head, head.isUpgrade)) {
      text += `${header.line}\r\n`
    }
  }
  return hasHost ? `${text}\r\n` : `${text}Host: ${host}\r\n\r\n`
}

/** The head that goes to the caller, with its extra lines (`Name: value`) at the end. */
export function writeResponseHead(
  head: Hop & { readonly statusLine: string; readonly status: number },
  extraLines: readonly string[],
): string {
  let text = `${head.statusLine}\r\n`
  for (const header of head.headers) {
    if (goesOn(header, head, head.status === 101)) text += `${header.line}\r\n`
  }
  for (const line of extraLines) text += `${line}\r\n`
  return `${text}\r\n`
}

function goesOn(header: HeaderLine, hop: Hop, isUpgrade: boolean): boolean {
  const { name } = header
  if (isUpgrade && (name === 'connection' || name === 'upgrade')) return true
  if (HOP_BY_HOP.has(name) || name.startsWith('proxy-')) return false
  return !hop.connection.includes(name) || CONNECTION_NAMED_KEPT.has(name)
}
