// Sends an answer that lies ready as bytes, past the framework's response: that would copy them and read them back
// through a stream, which is half of what a usage answer costs, and for a long one more. Must stay true: whoever comes
// behind it can change nothing of the answer, so it is given all of its headers.

import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'

export function sendBytes(
  context: Context,
  body: Buffer<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response {
  const { outgoing } = context.env as HttpBindings
  outgoing.writeHead(200, { ...headers, 'Content-Length': body.length })
  outgoing.end(body)
  return RESPONSE_ALREADY_SENT
}

export function isSent(context: Context): boolean {
  return context.res === RESPONSE_ALREADY_SENT
}
