// One call to a built-in provider through the proxy, on raw sockets: the event that comes of it,
// and its cost by the bundled prices.

import type { TestContext } from 'node:test'

import { formatMoney } from '../../src/core/money.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { Estimate } from '../../src/estimates/estimates.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { priceEvent } from '../../src/pricing/tables/price.ts'
import { findProvider } from '../../src/providers/registry.ts'
import { rawCall } from './callers/raw-client.ts'
import { openRelayScene } from './relay-scene.ts'

export interface Answered {
  readonly provider: string
  readonly path: string
  /** POST where it is left out. */
  readonly method?: string
  /** JSON, or bytes of the type that is given. */
  readonly request: object | Buffer
  readonly requestType?: string
  readonly status?: number
  readonly body: string | Buffer
  /** JSON where it is left out. */
  readonly contentType?: string
  /** The upstream announces more than it sends. */
  readonly isCut?: boolean
  readonly estimate?: Estimate
}

export interface Recorded {
  readonly event: UsageEvent
  /** In USD; null where it is not known. */
  readonly cost: string | null
}

const priceTables = createPriceTables()

export async function recordAnswer(t: TestContext, answered: Answered): Promise<Recorded> {
  const { provider: id, path, contentType = 'application/json', isCut = false } = answered
  const provider = findProvider(id)
  if (provider === null) throw new Error(`No provider ${id}`)
  const { method = 'POST', request: asked, requestType = 'application/json' } = answered
  const request = Buffer.isBuffer(asked) ? asked : Buffer.from(JSON.stringify(asked))
  const body = Buffer.from(answered.body)
  const length = body.length + (isCut ? 1000 : 0)
  const status = `${answered.status ?? 200} OK`
  const head = `HTTP/1.1 ${status}\r\ncontent-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`
  const scene = await openRelayScene(
    t,
    ({ received, socket }) => {
      if (received.endsWith(request.toString('latin1')))
        socket.end(Buffer.concat([Buffer.from(head), body]))
    },
    {
      providers: [{ ...provider, id: 'some' }],
      ...(answered.estimate === undefined ? {} : { estimate: answered.estimate }),
    },
  )
  const lines =
    `${scene.headers}Connection: close\r\nContent-Type: ${requestType}\r\n` +
    `Content-Length: ${request.length}\r\n`
  const bytes = request.toString('latin1')
  await rawCall(scene.proxy.port, `${method} /v1/some${path} HTTP/1.1\r\n${lines}\r\n${bytes}`)
  const [event] = await scene.proxy.events(1)
  if (event === undefined) throw new Error('No event')
  const { amount } = priceEvent({ ...event, provider: id }, priceTables)
  return { event, cost: amount === null ? null : formatMoney(amount) }
}
