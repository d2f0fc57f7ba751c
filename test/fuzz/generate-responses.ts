// Makes byte sequences that look like what an upstream answers to one request, and are often a
// little wrong. The same seed makes the same sequences.

import {
  BLANKS,
  damage,
  framedBody,
  LINE_ENDS,
  mostly,
  ODD_HEADERS,
  pick,
} from './generate-requests.ts'
import type { Random } from './generate-requests.ts'

export interface GeneratedResponse {
  /** Of the request: it decides whether there is a body. */
  readonly method: string
  /** All bytes until the connection ends: informational responses, the final one, perhaps more. */
  readonly text: string
}

const STATUSES = [
  '204',
  '304',
  '101',
  '205',
  '301',
  '404',
  '429',
  '500',
  '299',
  '599',
  '999',
  '201',
]
const ODD_STATUSES = ['099', '20', '2000', '2x0', '+200', ' 200', '', '1e2', '000']
const INFORMATIONAL = ['100', '102', '103', '199']
const REASONS = [' ', '', ' Odd: (a) \xe9', '  two', '\tOK', ' a\0b', ' a\rb', ' HTTP/1.1 204']
const VERSIONS = ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/1.', 'http/1.1', 'ICY', 'HTTP/1.1 ', '']
const ODD_RESPONSE_HEADERS = [
  'Set-Cookie: a=1',
  'Connection: close',
  'Connection: keep-alive',
  'Keep-Alive: timeout=5',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Content-Length: 0',
  'Transfer-Encoding: chunked',
  'Content-Encoding: gzip',
  'Proxy-Connection: keep-alive',
]

function statusLine(random: Random, status: string): string {
  const version = mostly(random, 'HTTP/1.1', VERSIONS)
  return version + mostly(random, ' ', ['  ', '\t', '']) + status + mostly(random, ' OK', REASONS)
}

function informational(random: Random): string {
  const odd = ['Link: </a>', 'Content-Length: 5', 'Connection: upgrade', 'Set-Cookie: a=1']
  const headers = random() < 0.3 ? [pick(random, odd)] : []
  const lines = [statusLine(random, pick(random, INFORMATIONAL)), ...headers]
  return `${lines.join('\r\n')}\r\n\r\n`
}

function final(random: Random): string {
  const usual = random() < 0.75 ? '200' : pick(random, STATUSES)
  const line = statusLine(random, mostly(random, usual, ODD_STATUSES))
  const framed = framedBody(random, 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc\r\n0\r\n\r\n')
  const headers = [...framed.headers]
  if (random() < 0.4) headers.push('X-Plain: value')
  if (random() < 0.2) headers.push(pick(random, ODD_RESPONSE_HEADERS))
  if (random() < 0.15) headers.push(pick(random, ODD_HEADERS))
  headers.sort(() => random() - 0.5)
  const end = mostly(random, '\r\n', LINE_ENDS)
  const head = [line, ...headers].join('\r\n') + end + mostly(random, '\r\n', LINE_ENDS)
  // Without a statement of its length a body is whatever comes.
  return head + (framed.headers.length === 0 ? pick(random, ['', 'abc', '0\r\n\r\n']) : framed.body)
}

export function generateResponse(random: Random): GeneratedResponse {
  const method = random() < 0.1 ? 'HEAD' : 'POST'
  let text = ''
  while (random() < 0.15) text += informational(random)
  text += mostly(random, '', BLANKS) + final(random)
  if (random() < 0.15) text += pick(random, [final(random), '\r\n', 'x', '\r\n\r\nHTTP/1.1 200 OK'])
  return { method, text: damage(random, text) }
}
