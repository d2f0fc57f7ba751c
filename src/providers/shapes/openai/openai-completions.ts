// OpenAI's older completions, which report usage as chat completions do.

import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import { CHAT } from './openai-chat.ts'
import { openaiOperation } from './openai-operation.ts'
import type { OpenaiOptions, PathPattern } from './openai-operation.ts'

export function openaiCompletions(path: PathPattern, options: OpenaiOptions = {}): Operation {
  const createUsageReader = readDocuments(CHAT, options.addition)
  return openaiOperation({ ...options, name: 'openai-completions', path, createUsageReader })
}
