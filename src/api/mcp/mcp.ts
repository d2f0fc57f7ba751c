// POST /mcp: the same figures by the Model Context Protocol, with handshake (2025) or without
// (2026). Must stay true: stateless, every answer is one JSON document, and a token is required.

import {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import type { Caller } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { ApiServices } from '../api-options.ts'
import { identify } from '../authorize.ts'
import { readText } from '../parse-body.ts'
import { askedBy } from '../questions/asked-by.ts'
import { toMonth } from '../usage/windows.ts'
import { lastMonth } from './mcp-questions.ts'
import { addMcpTools } from './mcp-tools.ts'

export async function answerMcp(context: Context, services: ApiServices): Promise<Response> {
  const token = await identify(context, services, 'read:usage')
  const message = parseMessage(await readText(context))
  const asked = await askedBy(services, token, { context, about: 'scoped' })
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

/** One per request: it knows the caller. */
function createMcpServer(services: ApiServices, token: Caller): McpServer {
  const server = new McpServer(
    { name: 'weir', title: 'Weir', version: services.info.version },
    {
      instructions: instruct(services.clock.now()),
      capabilities: { tools: { listChanged: false } },
    },
  )
  addMcpTools(server, { services, token })
  return server
}

function instruct(nowMs: number): string {
  const last = lastMonth(nowMs)
  return [
    'Weir stands in front of AI providers and records what every call cost and who made it.',
    'Ask query_usage for figures: cost in USD, requests, tokens.',
    'Only certain combinations of metric, dimension and window are served; list_usage_questions lists them with examples.',
    'Teams, environments and the like are dimensions, named by those who make the calls: use dimension dim with dim_key set to the name, such as team.',
    `All days and months are UTC. It is ${new Date(nowMs).toISOString().slice(0, 10)} now; this month is ${toMonth(nowMs)}, last month was ${last}.`,
    'Window last_month is for the total only: a breakdown of last month takes window month.',
    `So the team that cost most last month is metric cost_usd, dimension dim, dim_key team, window month, month ${last}, limit 1.`,
    'What query_usage does not serve is for analyze_usage: any hours, two groupings, filters, errors, times.',
    'list_dimensions has the names of dimensions and their values; list_requests has single calls, such as those that failed, and why.',
    'explain_request explains how the cost of a single call came about.',
    'list_budgets shows what budgets there are and how much of each is spent.',
    'list_teams shows the teams that keys belong to; a dimension named team is something else.',
  ].join(' ')
}
