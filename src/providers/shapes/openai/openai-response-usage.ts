// Usage of one finished response: its tokens, its tool calls, and the separate tokens for images.

import { addTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { UsageShare } from '../../../core/usage-event.ts'
import type { JsonShape } from '../../../wire/json/json-members.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toList, toName, toObject } from '../json-leaves.ts'
import { readImageUsage } from './openai-image-usage.ts'
import { OUTPUT_ITEMS, ToolCalls } from './openai-tool-calls.ts'
import type { ToolCallCounts } from './openai-tool-calls.ts'
import { OpenaiUsage } from './openai-usage.ts'

const TOOLS_MAX = 256

export interface ResponseUsage {
  readonly tokens: TokenCounts | null
  readonly toolCalls: ToolCallCounts
  readonly shares?: readonly UsageShare[]
}

export const RESPONSE_USAGE: JsonShape = {
  usage: true,
  tool_usage: true,
  output: OUTPUT_ITEMS,
  tools: [{ type: true, model: true }, TOOLS_MAX],
}

/** `seen` are the calls that a stream has shown, for a response that does not repeat its output. */
export function readResponseUsage(response: JsonObject, seen: ToolCallCounts = {}): ResponseUsage {
  const usage = new OpenaiUsage()
  usage.read(response['usage'])
  const tokens = usage.tokens()
  const toolUsage = toObject(response['tool_usage'])
  const found = findCalls(response, toolUsage) ?? seen
  const { image_generation: images, ...calls } = withSearchTool(found, response)
  const imageTokens = readImageUsage(toObject(toolUsage?.['image_gen']))
  const imageModel = findImageModel(response)
  if (tokens === null || imageTokens === null || imageModel === null) {
    return { tokens, toolCalls: images ? { ...calls, image_generation: images } : calls }
  }
  const shares = [
    { model: null, tokens },
    { model: imageModel, tokens: imageTokens },
  ]
  return { tokens: addTokenCounts(tokens, imageTokens), toolCalls: calls, shares }
}

/** Null where the response has neither output nor counts. */
function findCalls(response: JsonObject, toolUsage: JsonObject | null): ToolCallCounts | null {
  const output = toList(response['output'])
  const searches = toFigure(toObject(toolUsage?.['web_search'])?.['num_requests'])
  if (output.length === 0 && searches === null) return null
  const calls = new ToolCalls()
  for (const item of output) calls.add(item)
  const { web_search: shown, ...others } = calls.counts()
  // The service's count of what it bills goes before ours of what it shows.
  const billed = searches ?? shown
  return billed === undefined || billed === 0 ? others : { ...others, web_search: billed }
}

const SEARCH_TOOL = /^web_search(?:_\d|$)/
const PREVIEW_TOOL = /^web_search_preview(?:_\d|$)/

/** The preview has fees of its own. Items of the output do not show which of the two searched. */
function withSearchTool(calls: ToolCallCounts, response: JsonObject): ToolCallCounts {
  const { web_search: searches, ...others } = calls
  const tools = toList(response['tools']).map((tool) => toName(toObject(tool)?.['type']) ?? '')
  if (searches === undefined || !tools.some((tool) => PREVIEW_TOOL.test(tool))) return calls
  const isEither = tools.some((tool) => SEARCH_TOOL.test(tool))
  return { ...others, [isEither ? 'web_search_of_two' : 'web_search_preview']: searches }
}

function findImageModel(response: JsonObject): string | null {
  const tools = toList(response['tools']).map(toObject)
  const tool = tools.find((each) => each?.['type'] === 'image_generation')
  return toName(tool?.['model'])
}
