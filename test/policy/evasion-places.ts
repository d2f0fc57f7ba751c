// Requests that name a model which the key may not use beside a place that has the caller's own
// data, or in one that only looks like it.

import { chat, MESSAGES, post, postText } from './attempt.ts'
import type { Evasion } from './attempt.ts'

const DATA = { model: 'bad' }

function good(added: object): string {
  return chat({ model: 'good', ...added })
}

function tool(settings: object): string {
  return good({ tools: [settings] })
}

const PLACES: readonly (readonly [string, string])[] = [
  ['beside guided_json', chat({ guided_json: DATA, model: 'bad' })],
  ['beside structured_outputs', good({ structured_outputs: { json: DATA, model: 'bad' } })],
  ['deep in structured_outputs', good({ structured_outputs: { json_object: { json: DATA } } })],
  ['in a list of structured_outputs', good({ structured_outputs: [{ json: DATA }] })],
  ['in guided_json of something else', good({ plugins: [{ guided_json: DATA }] })],
  ['in guided_json in other letters', good({ Guided_json: DATA })],
  ['in extra_body beside guided_json', good({ extra_body: { guided_json: DATA, model: 'bad' } })],
  ['in extra_body twice', good({ extra_body: { extra_body: { guided_json: DATA } } })],
  ['in nvext', good({ nvext: { guided_json: {}, model: 'bad' } })],
  ['in a grammar', good({ grammar: { value: {}, model: 'bad' } })],
  ['in metadata of a plugin', good({ plugins: [{ id: 'web', metadata: DATA }] })],
  ['in options beside metadata', good({ providerOptions: { openai: { metadata: {}, ...DATA } } })],
  ['in metadata of the gateway', good({ providerOptions: { gateway: { metadata: DATA } } })],
  ['in a path with dots in its member', good({ 'structured_outputs.json': DATA })],
  ['in headers of the request', good({ headers: DATA })],
  ['in headers for the provider', good({ extra_headers: DATA })],
  ['in headers of a tool that draws', tool({ type: 'image_generation', ...DATA, headers: {} })],
  ['in headers of no tool of MCP', tool({ type: 'image_generation', headers: DATA })],
  ['beside the headers of a tool of MCP', tool({ type: 'mcp', headers: {}, model: 'bad' })],
  ['deep in a tool of MCP', tool({ type: 'mcp', settings: { headers: DATA } })],
  ['in a tool in a tool of MCP', tool({ type: 'mcp', tools: [{ type: 'draw', ...DATA }] })],
  [
    'in a tool of two types',
    postText(
      '/openai/v1/responses',
      '{"model":"good","tools":[{"type":"mcp","type":"draw","headers":{"model":"bad"}}]}',
    ),
  ],
  [
    'in a tool of a type in other letters',
    tool({ type: 'mcp', Type: 'image_generation', headers: DATA }),
  ],
  [
    'in a batch, beside guided_json',
    post('/anthropic/v1/messages/batches', {
      requests: [{ params: { model: 'bad', messages: MESSAGES, guided_json: {} } }],
    }),
  ],
]

export const PLACE_EVASIONS: readonly Evasion[] = PLACES.map(([name, request]) => ({
  name: `a model that is named ${name}`,
  request,
}))
