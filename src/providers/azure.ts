// Azure OpenAI and Microsoft Foundry. What a path or body names may be a deployment, a customer's
// label; only the answer names the model.

import { ADDRESSES } from './directory.ts'
import { namesIn } from './requested-models/model-names.ts'
import { openaiOperations } from './openai.ts'
import { defineProvider } from './provider.ts'
import type { Operation, RequestView } from './provider.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { createBodyModelReader } from './shapes/body-model.ts'
import { mistralOcr } from './shapes/mistral-ocr.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'

const BASE = /\/openai(?:\/v1|\/deployments\/[^/]+)?/
const DEPLOYMENT = /^\/openai\/deployments\/([^/]+)\//

/** The deployment alone decides on these: a `model` in the body is ignored. */
const DEPLOYED =
  /^\/openai\/deployments\/[^/]+\/(?:(?:chat\/)?completions|embeddings|images\/(?:generations|edits)|audio\/(?:speech|transcriptions|translations))$/

export const azure = defineProvider({
  id: 'azure',
  upstream: ADDRESSES.azure,
  hasOwnLabels: true,
  credentialPlaces: [
    'api-key',
    'bearer',
    '?api-key',
    { place: 'x-api-key', paths: /^\/anthropic\// },
  ],
  operations: [
    ...openaiOperations(BASE, {
      fromHead: readDeployment,
      isOwnIgnored: ({ path }) => DEPLOYED.test(path),
    }),
    ...foundryOperations(),
    ...inferenceOperations(),
  ],
})

/** Claude and the documents of Mistral, in their makers' own shapes. */
function foundryOperations(): readonly Operation[] {
  return [
    anthropicMessages('/anthropic/v1/messages'),
    mistralOcr('/providers/mistral/azure/ocr'),
    unmeteredOperation({
      name: 'anthropic-count-tokens',
      path: '/anthropic/v1/messages/count_tokens',
      createModelReader: createBodyModelReader,
      createNamesReader: namesIn(),
    }),
  ]
}

/** One address for the models of all makers, which the body names. */
function inferenceOperations(): readonly Operation[] {
  return [
    openaiChat('/models/chat/completions'),
    openaiEmbeddings(/^\/models\/(?:images\/)?embeddings$/),
  ]
}

/** None of these is part of a name, and some servers would see the segment's end there. */
const UNCERTAIN = /[%/?#\\;]/

/** Empty below other bases; null where it cannot be read. Azure decodes a path once. */
function readDeployment({ path }: RequestView): readonly string[] | null {
  const segment = DEPLOYMENT.exec(path)?.[1]
  if (segment === undefined) return []
  const name = decodeSegment(segment)
  return name === null || UNCERTAIN.test(name) ? null : [name]
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
