// What an agent sees at /mcp: instructions and tools, enough to find the right question.

import { McpServer } from '@modelcontextprotocol/server'
import type { Caller } from '../../core/caller.ts'
import type { ApiServices } from '../api-options.ts'
import { lastMonth } from './mcp-questions.ts'
import { addMcpTools } from './mcp-tools.ts'
import { toMonth } from '../usage/windows.ts'

/** One per request: it knows the caller. */
export function createMcpServer(services: ApiServices, token: Caller): McpServer {
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
  ].join(' ')
}
