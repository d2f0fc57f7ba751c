// The changes that Weir's contract documents, made by plain work on header lines. Written apart
// from the program's own code on purpose: what both got wrong in the same way would pass unseen.

import { BLANK_LINE } from './wire-case.ts'
import type { CallerStep, UpstreamStep } from './wire-case.ts'

/** How a caller of Weir writes what it would have sent to the provider. */
export interface CallerChange {
  /** `/v1/{provider}` */
  readonly prefix: string
  readonly svcLines: readonly string[]
}

/** Where the request goes. */
export interface UpstreamChange {
  readonly host: string
  readonly basePath: string
}

/** Only Weir says these to callers. */
const MARKS = new Set(['x-svc-request-id', 'x-svc-error'])

const HOP_NAMES = new Set(['connection', 'keep-alive', 'http2-settings'])

/** Stands where a request id stands. */
export const ANY_ID = '00000000-0000-7000-8000-000000000000'
const REQUEST_ID =
  /(?<=\r\nX-SVC-Request-Id: )[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?=\r\n)/g

export function readIds(received: string): string[] {
  return received.match(REQUEST_ID) ?? []
}

export function withoutIds(received: string): string {
  return received.replaceAll(REQUEST_ID, ANY_ID)
}

export function toWeirRequest(text: string, { prefix, svcLines }: CallerChange): string {
  const { first, lines, rest } = cutHead(text)
  // In the middle: the lines in front of them and behind them must keep their places.
  const middle = Math.ceil(lines.length / 2)
  const all = [...lines.slice(0, middle), ...svcLines, ...lines.slice(middle)]
  return [first.replace(' ', ` ${prefix}`), ...all].join('\r\n') + BLANK_LINE + rest
}

/** What the upstream must receive, given what the caller would have sent to it directly. */
export function expectRequest(text: string, { host, basePath }: UpstreamChange): string {
  const { first, lines, rest } = cutHead(text)
  const isUpgraded = isUpgrade(lines) && !isOld(first)
  const kept = keepLines(lines, isUpgraded)
    .filter((line) => isUpgraded || nameOf(line) !== 'upgrade')
    .map((line) => (nameOf(line) === 'host' ? `${line.slice(0, 4)}: ${host}` : line))
  // HTTP/1.0 knows no Host; the upstream's is said all the same, since Weir's own name would
  // mislead.
  if (!lines.some((line) => nameOf(line) === 'host')) kept.push(`Host: ${host}`)
  // Only trailers have such lines: no case has them as data.
  const body = rest.replaceAll(/(?<=\r\n)x-svc-[^\r]*\r\n/gi, '')
  return [first.replace(' ', ` ${basePath}`), ...kept].join('\r\n') + BLANK_LINE + body
}

export interface ExpectedResponse {
  readonly text: string
  /** Some head says that the connection ends behind its response. */
  readonly isClosed: boolean
}

/** What the caller must receive, given what the upstream wrote. Ids stand as `ANY_ID`. */
export function expectResponse(
  caller: readonly CallerStep[],
  upstream: readonly UpstreamStep[],
  isEarly = false,
): ExpectedResponse {
  const requests = caller.flatMap((step) => (step.kind === 'request' ? [step.text] : []))
  let text = ''
  let isClosed = false
  for (const { write } of upstream) {
    let rest = write
    while (rest.startsWith('HTTP/1.')) {
      const head = cutHead(rest)
      const request = cutHead(requests[0] ?? '')
      const status = head.first.split(' ')[1] ?? ''
      const lines = head.lines.filter((line) => !MARKS.has(nameOf(line)))
      const kept = [head.first, ...keepLines(lines, status === '101')]
      rest = head.rest
      if (status.startsWith('1') && status !== '101') {
        // HTTP/1.0 has no informational responses, and a proxy must not send it any (RFC 9110
        // §15.2).
        if (!isOld(request.first)) text += kept.join('\r\n') + BLANK_LINE
        continue
      }
      requests.shift()
      kept.push(`X-SVC-Request-Id: ${ANY_ID}`)
      if (status !== '101' && (isEarly || endsConnection(request, head))) {
        kept.push('Connection: close')
        isClosed = true
      }
      text += kept.join('\r\n') + BLANK_LINE
      break
    }
    text += rest
  }
  return { text, isClosed }
}

interface Head {
  readonly first: string
  readonly lines: readonly string[]
  readonly rest: string
}

function cutHead(text: string): Head {
  const end = text.indexOf(BLANK_LINE)
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  return { first, lines, rest: text.slice(end + BLANK_LINE.length) }
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(':')).toLowerCase()
}

function valuesOf(lines: readonly string[], name: string): string[] {
  return lines
    .filter((line) => nameOf(line) === name)
    .flatMap((line) => line.slice(line.indexOf(':') + 1).split(','))
    .map((value) => value.trim().toLowerCase())
}

function isUpgrade(lines: readonly string[]): boolean {
  const offers = valuesOf(lines, 'upgrade')
  const isWebSocket = offers.length === 1 && offers[0] === 'websocket'
  return isWebSocket && valuesOf(lines, 'connection').includes('upgrade')
}

function keepLines(lines: readonly string[], isUpgraded: boolean): string[] {
  const named = valuesOf(lines, 'connection')
  return lines.filter((line) => {
    const name = nameOf(line)
    if (isUpgraded && (name === 'connection' || name === 'upgrade')) return true
    if (HOP_NAMES.has(name) || name.startsWith('proxy-')) return false
    // Framing goes on with its headers, also where Connection names them.
    return !named.includes(name) || name === 'te' || name === 'trailer'
  })
}

function isOld(requestLine: string): boolean {
  return requestLine.endsWith('HTTP/1.0')
}

/** The caller asked for it, is of HTTP/1.0, or can find the body's end in no other way. */
function endsConnection(request: Head, response: Head): boolean {
  if (isOld(request.first) || valuesOf(request.lines, 'connection').includes('close')) return true
  if (request.first.startsWith('HEAD ') || / (?:204|304)(?: |$)/.test(response.first)) return false
  const names = response.lines.map(nameOf)
  return !names.includes('content-length') && !names.includes('transfer-encoding')
}
