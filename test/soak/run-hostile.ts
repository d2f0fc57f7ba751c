// The hostile side of the soak, a process of its own: callers that send one hostile call after the
// other by turns at a steady rate, and the provider whose answers are hostile. The first message
// from the parent asks for the provider's address, the second starts the callers, the third ends
// it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import { systemClock } from '../../src/core/clock.ts'
import { createHostileAnswer, createHostileCalls } from './hostile-calls.ts'
import type { HostileCall, HostileKeys } from './hostile-calls.ts'

export interface HostileStart {
  readonly keys: HostileKeys
  readonly ports: Readonly<Record<HostileCall['port'], number>>
  readonly perSecond: number
}

/** The answer to each message. */
export interface HostileMessage {
  readonly url: string
  readonly sent: Readonly<Record<string, number>>
  /** Calls that came to the hostile provider. */
  readonly received: number
}

/** Connections that Weir has not closed by then are closed here. */
const LIFE_MS_MAX = 90_000
const OPEN_MAX = 2000
const DRIP_MS = 1000

const sent: Record<string, number> = {}
let received = 0
const open = new Set<Socket>()
const answer = createHostileAnswer()
const upstream = createServer((incoming, response) => {
  received += 1
  incoming.resume()
  response.on('error', () => {})
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' })
  response.end(answer)
})
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
await once(process, 'message')
report()

const [start] = (await once(process, 'message')) as [HostileStart]
const calls = createHostileCalls(start.keys)
report()
const beganAt = systemClock.monotonic()
let count = 0
const timer = setInterval(() => {
  const due = ((systemClock.monotonic() - beganAt) / 1000) * start.perSecond
  while (count < due) {
    const call = calls[count++ % calls.length] as HostileCall
    if (open.size < OPEN_MAX) send(call)
  }
}, 20)

await once(process, 'message')
clearInterval(timer)
for (const socket of open) socket.destroy()
report()
process.disconnect?.()
upstream.closeAllConnections()
upstream.close()

function report(): void {
  const { port } = upstream.address() as AddressInfo
  const message: HostileMessage = { url: `http://127.0.0.1:${port}`, sent, received }
  process.send?.(message)
}

function send({ kind, port, bytes, drips, reads }: HostileCall): void {
  sent[kind] = (sent[kind] ?? 0) + 1
  const socket = connect({ host: '127.0.0.1', port: start.ports[port] })
  open.add(socket)
  const life = setTimeout(() => socket.destroy(), LIFE_MS_MAX)
  const drip = setInterval(() => {
    if (drips) socket.write('x')
  }, DRIP_MS)
  // Being cut off is what a hostile caller expects.
  socket.on('error', () => {})
  socket.once('close', () => {
    clearTimeout(life)
    clearInterval(drip)
    open.delete(socket)
  })
  if (reads) socket.resume()
  else socket.pause()
  socket.write(bytes)
}
