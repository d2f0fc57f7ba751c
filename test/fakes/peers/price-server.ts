// A server that publishes price data, with an ETag as a static host has it, or fails as it is told.

import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface PriceServer {
  readonly url: string
  /** `GET /data.json`, with ` if-none-match` where the client had data already. */
  readonly asked: string[]
  /** What is published, as it is sent. */
  publish: (text: string) => void
  /** Answers every request until something is published. */
  answer: (reply: (response: ServerResponse, request: IncomingMessage) => void) => void
}

export async function openPriceServer(t: TestContext): Promise<PriceServer> {
  const asked: string[] = []
  let reply = (response: ServerResponse, _request: IncomingMessage): void => {
    response.writeHead(404).end()
  }
  const server = createServer((request, response) => {
    const has = request.headers['if-none-match'] === undefined ? '' : ' if-none-match'
    asked.push(`${request.method} ${request.url}${has}`)
    reply(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/data.json`,
    asked,
    publish: (text) => {
      const etag = `"${hash('sha256', text, 'hex').slice(0, 16)}"`
      reply = (response, request) => {
        if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
        else response.writeHead(200, { etag }).end(text)
      }
    },
    answer: (next) => {
      reply = next
    },
  }
}

/** As genai-prices publishes it: one model, its input in USD per million, its output twice that. */
export function priceDataOf(model: string, inputUsd: number): string {
  const prices = { input_mtok: inputUsd, output_mtok: 2 * inputUsd }
  const entry = { id: model, match: { equals: model }, prices }
  return JSON.stringify([{ id: 'openai', models: [entry] }])
}
