// GET /healthz and /readyz on the proxy's port: for load balancers, without a key.

import type { RequestHead } from '../wire/http/http-head.ts'

export function isHealthCheck(head: RequestHead): boolean {
  const isNamed = head.target === '/healthz' || head.target === '/readyz'
  return isNamed && (head.method === 'GET' || head.method === 'HEAD')
}

/** The whole response. `readinessFault` is a sentence, or null. */
export function writeHealth(
  head: RequestHead,
  readinessFault: string | null,
  isClosing: boolean,
): string {
  const fault = head.target === '/readyz' ? readinessFault : null
  const body = JSON.stringify(
    fault === null ? { status: 'ok' } : { status: 'unready', reason: fault },
  )
  const lines = [
    fault === null ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 503 Service Unavailable',
    'Content-Type: application/json',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  if (isClosing) lines.push('Connection: close')
  return `${lines.join('\r\n')}\r\n\r\n${head.method === 'HEAD' ? '' : body}`
}
