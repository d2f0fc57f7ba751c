// POST /mcp: the same figures by the Model Context Protocol, with handshake (2025) or without
// (2026). Must stay true: stateless, every answer is one JSON document, and a token is required.

import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { McpServer } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { WeirError } from '../../core/weir-error.ts'
import type { ApiServices } from '../api-options.ts'
import { identify } from '../authorize.ts'
import { readText } from '../parse-body.ts'
import { askedBy } from '../questions/asked-by.ts'
import { createMcpServer } from './mcp-server.ts'

export async function answerMcp(context: Context, services: ApiServices): Promise<Response> {
  const token = await identify(context, services, 'read:usage')
  const message = parseMessage(await readText(context))
  const asked = askedBy(services, token, context)
  const create = (): McpServer => createMcpServer(asked, token)
  const request = context.req.raw
  const answer = (await isLegacyRequest(request, message))
    ? await answerLegacy(request, message, create())
    : await answerModern(request, message, create)
  answer.headers.set('Cache-Control', 'no-store')
  answer.headers.set('X-Content-Type-Options', 'nosniff')
  return answer
}

function parseMessage(text: string): unknown {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    throw new WeirError('bad_request', 'The body must be one JSON-RPC message, as JSON.')
  }
  // The protocol dropped batches. A question with its cancellation would never be answered.
  if (Array.isArray(message)) {
    throw new WeirError('bad_request', 'Batches are not taken.', {
      hint: 'Send one JSON-RPC message a request.',
    })
  }
  return message
}

async function answerLegacy(
  request: Request,
  message: unknown,
  server: McpServer,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

function answerModern(
  request: Request,
  message: unknown,
  create: () => McpServer,
): Promise<Response> {
  // Nothing here changes, so a subscription would only keep a connection open for ever.
  const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: message })
}
