// Amazon Bedrock, one address per region. Callers use its API keys: a signature fits one host only.

import { loadEventStreamCodec } from '../wire/sse/event-stream.ts'
import { createJsonMembers } from '../wire/json/json-members.ts'
import { ADDRESSES } from './directory.ts'
import { namesIn } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import type { ModelReader, Operation } from './provider.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { bedrockConverse } from './shapes/bedrock/bedrock-converse.ts'
import { bedrockGuardrail } from './shapes/bedrock/bedrock-guardrail.ts'
import { bedrockInvoke } from './shapes/bedrock/bedrock-invoke.ts'
import {
  modelPath,
  namedInPath,
  toBedrockModel,
  toPolicyName,
} from './shapes/bedrock/bedrock-model.ts'
import { createBedrockBodyReader, namedInBody } from './shapes/bedrock/bedrock-named.ts'
import { findBedrockRegion } from './shapes/bedrock/bedrock-region.ts'
import { SILENT } from './shapes/document-reader.ts'
import { toName } from './shapes/json-leaves.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { pathUnder } from './shapes/model-operation.ts'
import { openaiResponses, openaiStoredResponse } from './shapes/openai/openai-responses.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'

/** A body may name the model by an ARN as well. */
const NAMED = { normalise: toPolicyName }

export const bedrock = defineProvider({
  id: 'bedrock',
  upstream: ADDRESSES.bedrock,
  errorShape: 'bedrock',
  operations: bedrockOperations(''),
  regionOf: findBedrockRegion,
  prepare: loadEventStreamCodec,
})

export function bedrockOperations(base: string): readonly Operation[] {
  return [
    ...bedrockConverse(base),
    ...bedrockInvoke(base),
    ...dialects(base),
    unmeteredOperation({
      name: 'bedrock-mantle-count-tokens',
      path: `${base}/anthropic/v1/messages/count_tokens`,
      createModelReader: createBedrockBodyReader,
      createNamesReader: namesIn(NAMED),
    }),
    unmeteredOperation({
      name: 'bedrock-count-tokens',
      path: modelPath(base, 'count-tokens'),
      ...namedInPath({ content: ['input'] }),
    }),
    asyncInvoke(`${base}/async-invoke`),
    bedrockGuardrail(guardrailPath(base)),
  ]
}

/** Other vendors' shapes. Its newer host, mantle, has OpenAI's without their name as well. */
function dialects(base: string): readonly Operation[] {
  const openai = new RegExp(`${RegExp.escape(base)}(?:/openai)?/v1`)
  return [
    ...[
      anthropicMessages(`${base}/anthropic/v1/messages`, NAMED),
      openaiChat(pathUnder(openai, '/chat/completions'), NAMED),
      openaiResponses(pathUnder(openai, '/responses'), NAMED),
    ].map(namedInBody),
    openaiStoredResponse(openai),
  ]
}

function guardrailPath(base: string): RegExp {
  const actions = String.raw`guardrail/[^/]+/version/[^/]+/apply|guardrail-checks/invoke`
  return new RegExp(`^${RegExp.escape(base)}/(?:${actions})$`)
}

/** Its result goes to the customer's storage, so its usage is never seen, but it is not free. */
function asyncInvoke(path: string): Operation {
  return {
    name: 'bedrock-async-invoke',
    matches: (request) => request.method === 'POST' && request.path === path,
    createModelReader: createModelIdReader,
    createNamesReader: namesIn({
      content: ['modelInput', 'outputDataConfig', 'tags'],
      naming: ['modelId'],
      ...NAMED,
    }),
    createUsageReader: () => SILENT,
  }
}

const MODEL_ID_BYTES_MAX = 4096

function createModelIdReader(): ModelReader {
  const members = createJsonMembers({
    shape: { modelId: true },
    valueBytesMax: MODEL_ID_BYTES_MAX,
    isFirstEnough: true,
  })
  return {
    feed(bytes) {
      members.feed(bytes)
      return members.isDone
    },
    end() {
      const id = toName(members.end().value['modelId'])
      return id === null ? null : toBedrockModel(id).label
    },
  }
}
