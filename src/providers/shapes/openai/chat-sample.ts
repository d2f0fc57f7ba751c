// A sample call in the shape of OpenAI's chat completions, which most providers take.

import type { SampleCall } from '../../provider.ts'

export interface ChatSample {
  readonly path: string
  readonly model: string
  /** With the caller's own key; null where none is needed. */
  readonly variable: string | null
}

export function chatSample({ path, model, variable }: ChatSample): SampleCall {
  return {
    path,
    model,
    body: { model, messages: [{ role: 'user', content: 'Hello' }] },
    credential: variable === null ? null : { header: 'Authorization: Bearer ', variable },
    client: {
      urlVariable: 'OPENAI_BASE_URL',
      keyVariable: 'OPENAI_API_KEY',
      basePath: path.slice(0, path.lastIndexOf('/chat/completions')),
    },
  }
}
