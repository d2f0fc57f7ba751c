// What providers answer to the tools of the recipes, in the formats that the demo's simulation does
// not have: OpenAI's Responses, Cohere's chat, Bedrock's Converse.

import type { Dialect, Use } from '../../../demo/simulated-answer.ts'

type WholeOnly = Pick<Dialect, 'whole'>

export const responsesDialect: Pick<Dialect, 'whole' | 'events'> = {
  whole: (use) => toResponse(use, 'completed'),
  events: (use) => {
    const item = { id: `msg_${use.id}`, type: 'message', role: 'assistant' }
    const part = { item_id: item.id, output_index: 0, content_index: 0 }
    const text = use.pieces.join('')
    const content = [{ type: 'output_text', annotations: [], logprobs: [], text }]
    const done = { ...item, status: 'completed', content }
    const events = [
      { type: 'response.created', response: toResponse(use, 'in_progress') },
      { type: 'response.in_progress', response: toResponse(use, 'in_progress') },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      },
      {
        type: 'response.content_part.added',
        ...part,
        part: { type: 'output_text', annotations: [], logprobs: [], text: '' },
      },
      ...use.pieces.map((delta) => ({
        type: 'response.output_text.delta',
        ...part,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', ...part, text, logprobs: [] },
      { type: 'response.content_part.done', ...part, part: content[0] },
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.completed', response: toResponse(use, 'completed') },
    ]
    return events.map((event, number) => {
      const data = JSON.stringify({ ...event, sequence_number: number })
      return `event: ${event.type}\ndata: ${data}\n\n`
    })
  },
}

function toResponse(use: Use, status: 'in_progress' | 'completed'): object {
  const { id, model, input, output, cached, createdAt } = use
  const isDone = status === 'completed'
  const text = { type: 'output_text', annotations: [], logprobs: [], text: use.pieces.join('') }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', status, content: [text] }
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(createdAt / 1000),
    status,
    background: false,
    error: null,
    incomplete_details: null,
    model,
    output: isDone ? [message] : [],
    parallel_tool_calls: true,
    service_tier: 'default',
    store: false,
    tools: [],
    usage: isDone ? usage : null,
    metadata: {},
  }
}

export const cohereDialect: WholeOnly = {
  whole: ({ id, pieces, input, output }) => ({
    id,
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text: pieces.join('') }] },
    usage: {
      billed_units: { input_tokens: input, output_tokens: output },
      tokens: { input_tokens: input, output_tokens: output },
    },
  }),
}

export const converseDialect: WholeOnly = {
  whole: ({ pieces, input, output }) => ({
    output: { message: { role: 'assistant', content: [{ text: pieces.join('') }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
    metrics: { latencyMs: 5 },
  }),
}
