// Where requests have the caller's own data among their settings: schemas, variables, labels. Must
// stay true: no server that Weir knows of reads a model in any of these places.

import type { JsonStep } from '../../wire/json/json-tree.ts'

/** From the root of a request; `extra_body` may come first. Null is a list's element. */
const IN_REQUEST: readonly (readonly JsonStep[])[] = [
  // What is to be produced, at vLLM, NIM and TGI.
  ['guided_json'],
  ['structured_outputs', 'json'],
  ['nvext', 'guided_json'],
  ['grammar', 'value'],
  // Variables of a template at vLLM and SGLang.
  ['chat_template_kwargs'],
  // Labels: of LiteLLM, OpenRouter, OpenAI's sessions, and OpenAI's by the AI SDK.
  ['metadata'],
  ['trace'],
  ['tracing', 'metadata'],
  ['providerOptions', 'openai', 'metadata'],
]

/** From a tool: headers for the caller's own server. */
const IN_TOOL: readonly (readonly JsonStep[])[] = [
  ['mcpServers', null, 'streamableHttpTransport', 'headers'],
]

const LAST_STEPS = new Set([...IN_REQUEST, ...IN_TOOL].map((place) => place.at(-1)))

/** False for most keys, which end no such place. */
export function endsContentPlace(key: string): boolean {
  return LAST_STEPS.has(key)
}

/** `path` leads to the object with this member, and its first `depth` steps to the request. */
export function isContentPlace(path: readonly JsonStep[], depth: number, key: string): boolean {
  const from = path[depth] === 'extra_body' ? depth + 1 : depth
  if (IN_REQUEST.some((place) => isPlace(place, path, from) && place.at(-1) === key)) return true
  const tools = path.lastIndexOf('tools')
  if (tools === -1 || path[tools + 1] !== null) return false
  return IN_TOOL.some((place) => isPlace(place, path, tools + 2) && place.at(-1) === key)
}

/** Whether a path leads to a place's last step. */
function isPlace(place: readonly JsonStep[], path: readonly JsonStep[], from: number): boolean {
  if (path.length - from !== place.length - 1) return false
  return path.slice(from).every((step, index) => step === place[index])
}
