// GET /healthz and /readyz on the proxy's port: for load balancers, without a key.

import type { RequestHead } from '../wire/http/http-head.ts'
import type { ProxyServices } from './services.ts'

export function isHealthCheck(head: RequestHead): boolean {
  const isNamed = head.target === '/healthz' || head.target === '/readyz'
  return isNamed && (head.method === 'GET' || head.method === 'HEAD')
}

type Readiness = Pick<ProxyServices, 'readinessFault' | 'readinessWarning'>

/** The whole response. */
export function writeHealth(head: RequestHead, readiness: Readiness, isClosing: boolean): string {
  const isReadiness = head.target === '/readyz'
  const fault = isReadiness ? readiness.readinessFault() : null
  const warning = isReadiness ? readiness.readinessWarning() : null
  const body = JSON.stringify(toBody(fault, warning))
  const lines = [
    fault === null ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 503 Service Unavailable',
    'Content-Type: application/json',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  if (isClosing) lines.push('Connection: close')
  return `${lines.join('\r\n')}\r\n\r\n${head.method === 'HEAD' ? '' : body}`
}

function toBody(fault: string | null, warning: string | null): object {
  if (fault !== null) return { status: 'unready', reason: fault }
  return warning === null ? { status: 'ok' } : { status: 'ok', warning }
}
