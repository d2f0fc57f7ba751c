// The tools of /mcp. Must stay true: figures, refusals and limits are those of the HTTP API.

import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { TokenScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import { answerError } from '../answer-error.ts'
import type { ApiServices } from '../api-options.ts'
import { requireScope } from '../authorize.ts'
import {
  analysisParametersSchema,
  analysisSchema,
  budgetListSchema,
  requestDetailSchema,
  requestPageSchema,
  requestParametersSchema,
  teamParametersSchema,
  usageEnvelopeSchema,
  usageParametersSchema,
} from '../contract.ts'
import { toKeptAnalysis } from '../analysis/analysis-routes.ts'
import { checkAnalysisScope, toAnalysisQuery } from '../analysis/to-analysis-query.ts'
import { formatAnalysis } from './mcp-analysis-text.ts'
import {
  dimensionParametersSchema,
  dimensionsSchema,
  listCalls,
  listDimensions,
} from './mcp-lists.ts'
import { createQuestions, questionsSchema } from './mcp-questions.ts'
import { nameSilentNodes, withSilentNodes } from './mcp-silent-nodes.ts'
import type { ToolAnswer } from './mcp-silent-nodes.ts'
import { agentSessionPageSchema, sessionParametersSchema } from '../sessions/session-contract.ts'
import { listSessions } from './mcp-sessions.ts'
import { listTeams, teamsSchema } from './mcp-teams.ts'
import { formatBudgets, formatQuestions, formatRequest, formatUsage } from './mcp-texts.ts'
import { isRepeatable, parseParameters } from '../parse-parameters.ts'
import { checkQueryScope, toUsageQuery } from '../usage/parse-usage-query.ts'
import type { RateLimit } from '../rate-limit.ts'
import { tooMany } from '../rated-access.ts'
import { readBudgetRows } from '../budgets/read-budgets.ts'
import { readRequest } from '../requests/read-request.ts'
import { toShownBudget } from '../budgets/shown-to.ts'
import { readFactNames } from '../known-names.ts'

export interface McpCaller {
  readonly services: ApiServices
  readonly token: Caller
}

interface Tool<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scope: TokenScope
  /** Left out where its questions are not counted. */
  readonly limitOf?: (services: ApiServices) => RateLimit
  readonly input: Input
  readonly output: z.ZodObject
  /** They may miss calls of a node that is silent. */
  readonly hasFigures: boolean
  readonly answer: (given: z.output<Input>, caller: McpCaller) => ToolAnswer | Promise<ToolAnswer>
}

interface McpTool extends Omit<Tool<z.ZodObject>, 'answer'> {
  readonly ask: (given: URLSearchParams, caller: McpCaller) => Promise<ToolAnswer>
}

/** The checks run in the order of the HTTP API: rate, scope, parameters. */
function defineTool<Input extends z.ZodObject>({ answer, ...tool }: Tool<Input>): McpTool {
  const { scope, limitOf, input } = tool
  return {
    ...tool,
    async ask(given, caller) {
      const { services, token } = caller
      const rate = await limitOf?.(services).take(token.id)
      if (rate?.isAllowed === false) throw tooMany(rate)
      requireScope(token, scope)
      return answer(parseParameters(given, input), caller)
    },
  }
}

const READS_ONLY = { readOnlyHint: true, openWorldHint: false } as const

const REQUEST_ID_CHARS_MAX = 64
const REQUEST_ID_FAULT = `request_id must be the id of a request, of at most ${REQUEST_ID_CHARS_MAX} characters`

const noParametersSchema = z.strictObject({})
const explainParametersSchema = z.strictObject({
  request_id: z
    .string(REQUEST_ID_FAULT)
    .min(1, REQUEST_ID_FAULT)
    .max(REQUEST_ID_CHARS_MAX, REQUEST_ID_FAULT)
    .describe('As the header X-SVC-Request-Id said to the caller; a UUID.'),
})

const SCOPE_HINT =
  'The operator of Weir makes a token by naming all the scopes it is to have: ' +
  'weir tokens create --name agent --scope read:usage --scope read:keys --scope read:requests'

const TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'list_usage_questions',
    title: 'What can be asked about AI usage and cost',
    description:
      'Lists every question that query_usage answers, each with an example that works as it is, what each window ' +
      'covers today, how dimensions such as team are named, and the limits. Ask this first. Needs scope read:usage.',
    scope: 'read:usage',
    input: noParametersSchema,
    output: questionsSchema,
    hasFigures: false,
    answer: listQuestions,
  }),
  defineTool({
    name: 'query_usage',
    title: 'Ask for AI cost, requests or tokens',
    description:
      'What was spent on AI providers, or how many requests or tokens there were: in total, or broken down by provider, ' +
      'model, API key, day, or a dimension such as team. Largest first. Takes the combinations that list_usage_questions ' +
      'lists; a refusal says what is wrong. Costs are USD, times UTC. Needs scope read:usage, and read:keys for dimension api_key.',
    scope: 'read:usage',
    limitOf: ({ rateLimit }) => rateLimit,
    input: usageParametersSchema,
    output: usageEnvelopeSchema,
    hasFigures: true,
    answer: queryUsage,
  }),
  defineTool({
    name: 'analyze_usage',
    title: 'Ask anything about AI usage',
    description:
      'Any hours (from, to; UTC), by up to two fields (group_by: provider, creator, model, api_key, status, source, team, person, tool, tool_version, agent_kind, repository or dim:KEY), ' +
      'filtered by any (filter: FIELD=VALUE or FIELD!=VALUE), in steps of an interval: cost, requests, errors, denials, tokens by kind, ' +
      'cache hits, and with latency=true percentiles of times. compare=previous adds an earlier span to compare with (the same days of the month before for the running month, as many months before for whole months, else as much time right before), and order_by=change then has the largest changes in cost first (change_percent: in percent). Rows sum to the total: those beyond ' +
      'limit are one row of kind other, untagged calls one of kind none. For what query_usage does not answer, such as what happened on one day, ' +
      'and who it was. Needs scope read:usage, and read:keys for group_by api_key and person.',
    scope: 'read:usage',
    limitOf: ({ rateLimit }) => rateLimit,
    input: analysisParametersSchema,
    output: analysisSchema,
    hasFigures: true,
    answer: analyzeUsage,
  }),
  defineTool({
    name: 'list_dimensions',
    title: 'List dimensions and their values',
    description:
      'The names of the dimensions, such as team, that calls of this and last month carry; with dim_key the values of that one, ' +
      'most calls first. Ask this before filtering or grouping by a dimension. Needs scope read:usage.',
    scope: 'read:usage',
    limitOf: ({ rateLimit }) => rateLimit,
    input: dimensionParametersSchema,
    output: dimensionsSchema,
    hasFigures: true,
    answer: (given, { services }) => listDimensions(given, services),
  }),
  defineTool({
    name: 'list_requests',
    title: 'List single calls',
    description:
      'Single calls to AI providers, newest first or by sort, with the filters of GET /v1/requests: time, key, team, person, tool, session, provider, model, dimension, ' +
      'how they ended (status), http_status, error_code, duration, streamed, and any id. For why calls failed, which were the most expensive, ' +
      'and who made them; explain_request has one of them in full. Of prompts and answers nothing is stored. Needs scope read:requests.',
    scope: 'read:requests',
    limitOf: ({ logRateLimit }) => logRateLimit,
    input: requestParametersSchema,
    output: requestPageSchema,
    hasFigures: true,
    answer: listCalls,
  }),
  defineTool({
    name: 'explain_request',
    title: 'Explain the cost of one request',
    description:
      'One recorded call to an AI provider by its id: who made it, what ran, how it ended, and how its cost came about, ' +
      'as units × rate = cost, line by line. Needs scope read:requests.',
    scope: 'read:requests',
    input: explainParametersSchema,
    output: requestDetailSchema,
    hasFigures: true,
    answer: explainRequest,
  }),
  defineTool({
    name: 'list_budgets',
    title: 'List budgets and what they have spent',
    description:
      'Every budget: whose spend it limits, over which period, how much of the limit is spent, what the period is ' +
      'expected to cost, and whether calls are refused beyond it. Needs scope read:usage.',
    scope: 'read:usage',
    input: noParametersSchema,
    output: budgetListSchema,
    hasFigures: true,
    answer: listBudgets,
  }),
  defineTool({
    name: 'list_agent_sessions',
    title: 'List sessions of coding agents',
    description:
      'What each session of a coding agent cost, the most expensive first or by sort: its person, tool and repository, calls of subagents, ' +
      'and what was wasted on retries, failures and aborted calls. For its single calls ask list_requests with session and api_key. Needs scope read:requests.',
    scope: 'read:requests',
    limitOf: ({ logRateLimit }) => logRateLimit,
    input: sessionParametersSchema,
    output: agentSessionPageSchema,
    hasFigures: true,
    answer: listSessions,
  }),
  defineTool({
    name: 'list_teams',
    title: 'List teams',
    description:
      'The teams that API keys belong to, by name: id, short name, department, and how many keys, members and leads each has. ' +
      'Ask this for the id of a team. Needs scope read:keys.',
    scope: 'read:keys',
    input: teamParametersSchema,
    output: teamsSchema,
    hasFigures: false,
    answer: (given, { services }) => listTeams(given, services),
  }),
]

export function addMcpTools(server: McpServer, caller: McpCaller): void {
  for (const tool of TOOLS) {
    const { name, title, description, output, hasFigures } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: unchecked(tool.input),
        // Without its OpenAPI name: clients want the members at the top level.
        outputSchema: hasFigures ? withSilentNodes(output) : output,
        annotations: { title, ...READS_ONLY },
      },
      (given) => callTool(tool, given, caller),
    )
  }
}

/** The tool checks it itself, so that faults have the API's text and code. */
function unchecked(schema: z.ZodObject) {
  const { jsonSchema } = schema['~standard']
  const validate = (value: unknown) => ({ value })
  return { '~standard': { version: 1 as const, vendor: 'weir', jsonSchema, validate } }
}

/** An error is an answer too: an agent that reads the reason can correct its question. */
async function callTool(tool: McpTool, given: unknown, caller: McpCaller): Promise<CallToolResult> {
  try {
    const answer = await tool.ask(toSearch(given, tool.input), caller)
    const silent = tool.hasFigures ? await caller.services.silentNodes() : []
    const { structured, text } = nameSilentNodes(answer, silent)
    return { content: [{ type: 'text', text }], structuredContent: structured }
  } catch (error) {
    const { log } = caller.services
    const place = { method: 'POST', route: `/mcp ${tool.name}`, log }
    const text = await answerError(withScopeHint(error), place).text()
    return { content: [{ type: 'text', text }], isError: true }
  }
}

/** As in a URL. Agents send null for absent members, and numbers as numbers. */
function toSearch(given: unknown, { shape }: z.ZodObject): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(given ?? {}) as [string, unknown][]) {
    const isList = Array.isArray(value) && Object.hasOwn(shape, name) && isRepeatable(shape[name])
    for (const each of isList ? (value as unknown[]) : [value]) {
      if (each === null) continue
      search.append(name, typeof each === 'string' ? each : JSON.stringify(each))
    }
  }
  return search
}

function withScopeHint(error: unknown): unknown {
  if (!(error instanceof WeirError) || error.code !== 'scope_denied') return error
  return new WeirError(error.code, error.message, { hint: SCOPE_HINT, cause: error })
}

function listQuestions(_: object, { services, token }: McpCaller): ToolAnswer {
  const questions = createQuestions(services.clock.now(), token)
  return { structured: questions, text: formatQuestions(questions) }
}

async function queryUsage(
  given: z.output<typeof usageParametersSchema>,
  { services, token }: McpCaller,
): Promise<ToolAnswer> {
  const { clock, usage, usageSnapshots } = services
  const query = toUsageQuery(given, clock.now())
  checkQueryScope(query, token)
  const text = (await usageSnapshots.read(query, usage)).body.toString()
  const envelope = usageEnvelopeSchema.parse(JSON.parse(text))
  return { structured: envelope, text: formatUsage(query, envelope) }
}

async function analyzeUsage(
  given: z.output<typeof analysisParametersSchema>,
  { services, token }: McpCaller,
): Promise<ToolAnswer> {
  const query = checkAnalysisScope(toAnalysisQuery(given, services.clock.now()), token)
  const snapshot = await services.usageSnapshots.readKept(toKeptAnalysis(services, query))
  const analysis = analysisSchema.parse(JSON.parse(snapshot.body.toString()))
  return { structured: analysis, text: formatAnalysis(analysis) }
}

async function explainRequest(
  { request_id: id }: z.output<typeof explainParametersSchema>,
  { services, token }: McpCaller,
): Promise<ToolAnswer> {
  const names = await readFactNames(services, token)
  const detail = await readRequest(id, { ...services, names })
  return { structured: detail, text: formatRequest(detail) }
}

async function listBudgets(_: object, { services, token }: McpCaller): Promise<ToolAnswer> {
  const rows = await readBudgetRows(services)
  const shown = rows.map((row) => toShownBudget(row, token))
  return { structured: { rows: shown }, text: formatBudgets(shown) }
}
