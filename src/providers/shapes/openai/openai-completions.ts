// OpenAI's older completions, which report usage as chat completions do.

import type { Operation } from '../../provider.ts'
import { CHAT } from './openai-chat.ts'
import { modelOperation } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'

export function openaiCompletions(path: PathPattern, options: ModelOptions = {}): Operation {
  return modelOperation({ ...options, name: 'openai-completions', path, answer: CHAT })
}
