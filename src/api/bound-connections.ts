// The API's connections: a bounded number, where those whose request is not there yet make room for
// new ones. Must stay true: probes are answered whatever the others do.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ConnectionSlots } from '../limits/connection-slots.ts'
import type { ConnectionSlot } from '../limits/connection-slots.ts'
import { ERROR_KINDS } from '../core/weir-error.ts'
import type { ApiOptions } from './api-options.ts'
import type { ErrorBody } from './error-contract.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export interface ConnectionLimits {
  readonly connectionsMax: number
  readonly spareConnectionsMax: number
}

export interface BoundConnections {
  /** Finds room for a connection, and closes others for it. */
  admit(tcp: Socket): ConnectionTurn
  /** Requests come by this socket: the connection's own, or the one inside its TLS. */
  add(socket: Socket, place: ConnectionTurn): void
  /** False: the request has been refused, since too many others are being answered. */
  canAnswer(request: IncomingMessage, response: ServerResponse): boolean
}

export interface ConnectionTurn {
  readonly slot: ConnectionSlot
  readonly isSpare: boolean
}

const PROBES = ['/healthz', '/readyz']

export function boundConnections(
  limits: ConnectionLimits,
  limitHit: NonNullable<ApiOptions['limitHit']>,
): BoundConnections {
  const onCut = (): void => limitHit('api_cut')
  const slots = new ConnectionSlots({ slotsMax: limits.connectionsMax, onCut })
  const spare = new ConnectionSlots({ slotsMax: limits.spareConnectionsMax, onCut })
  const places = new WeakMap<Socket, ConnectionTurn>()
  return {
    admit: (tcp) => {
      const slot = slots.take(tcp)
      if (slot !== null) return { slot, isSpare: false }
      limitHit('api_connections')
      // None of these is ever kept busy.
      return { slot: spare.take(tcp) as ConnectionSlot, isSpare: true }
    },
    add: (socket, place) => {
      place.slot.socket = socket
      places.set(socket, place)
    },
    canAnswer: (request, response) => {
      const { slot, isSpare } = places.get(request.socket) as ConnectionTurn
      if (isSpare) {
        response.shouldKeepAlive = false
        if (PROBES.includes(request.url ?? '')) return true
        refuse(response)
        return false
      }
      if (hasBody(request)) keepOnceSent(slot, request, response)
      else keep(slot, response)
      return true
    },
  }
}

function keep(slot: ConnectionSlot, response: ServerResponse): void {
  slot.begin(false)
  response.once('close', () => slot.end())
}

/** Anyone can announce a body and never send it. */
function keepOnceSent(
  slot: ConnectionSlot,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const onEnd = (): void => keep(slot, response)
  request.once('end', onEnd)
  // What is left of a refused body is read after the answer.
  response.once('close', () => request.off('end', onEnd))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0'
}

function refuse(response: ServerResponse): void {
  const body: ErrorBody = {
    error: 'Too many requests are being answered. Try again in a moment.',
    code: 'overloaded',
  }
  response.writeHead(ERROR_KINDS.overloaded.status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Retry-After': '1',
  })
  response.end(JSON.stringify(body))
}
