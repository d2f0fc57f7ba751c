// The results of Gemini's batches: inside the batch itself where its requests were, else in a file of
// lines. Must stay true: each is counted once, under the id of the batch or of the file, and a batch
// that is still running has used nothing yet.

import type { JsonShape } from '../../wire/json-members.ts'
import { noNames } from '../model-names.ts'
import type { Operation } from '../provider.ts'
import { batchResults } from './batch-results.ts'
import type { BatchLine } from './batch-results.ts'
import { readDocuments } from './document-reader.ts'
import type { DocumentReader, ShapeReading } from './document-reader.ts'
import { toModelName } from './gemini-path.ts'
import { GeminiUsage } from './gemini-usage.ts'
import type { JsonObject } from './json-leaves.ts'
import { toList, toName, toObject } from './json-leaves.ts'
import { ModelShares } from './model-shares.ts'

/** More requests than fit into the 20 MB that a batch with its requests inside may have. */
const RESPONSES_MAX = 20_000
const SERVICE_TIER = 'batch'

const ANSWER: JsonShape = { response: { modelVersion: true, usageMetadata: true } }
const BATCH: JsonShape = {
  response: { inlinedResponses: { inlinedResponses: [ANSWER, RESPONSES_MAX] } },
}

/** `base` is a pattern of the path in front. */
export function geminiBatchResults(base: string): readonly Operation[] {
  const path = new RegExp(`^${base}/batches/([^/]+)$`)
  return [
    {
      name: 'gemini-batch-read',
      matches: (request) => request.method === 'GET' && path.test(request.path),
      createModelReader: () => null,
      createNamesReader: noNames,
      createUsageReader: readDocuments({
        needles: ['usageMetadata'],
        members: BATCH,
        createReader: (request) => new BatchReader(path.exec(request.path)?.[1] ?? ''),
      }),
    },
    batchResults({
      name: 'gemini-batch-results',
      path: new RegExp(`^(?:/download)?${base}/files/(?<id>[^/]+):download$`),
      countedAs: 'batch-file',
      members: { key: true, ...ANSWER },
      readLine,
    }),
  ]
}

/** Any file is downloaded under the same path; the lines of a batch are told by their keys. */
function readLine(line: JsonObject): BatchLine | null {
  if (typeof line['key'] !== 'string') return null
  const answer = toObject(line['response'])
  const usage = new GeminiUsage()
  usage.read(answer?.['usageMetadata'])
  const tokens = usage.tokens()
  return { shares: tokens === null ? [] : [{ model: toServedModel(answer), tokens }] }
}

function toServedModel(answer: JsonObject | null): string | null {
  const model = toName(answer?.['modelVersion'])
  return model === null ? null : toModelName(model)
}

class BatchReader implements DocumentReader {
  readonly #id: string
  readonly #shares = new ModelShares()
  model: string | null = null

  constructor(id: string) {
    this.#id = id
  }

  read(document: JsonObject): void {
    const inlined = toObject(toObject(document['response'])?.['inlinedResponses'])
    for (const each of toList(inlined?.['inlinedResponses'])) {
      const answer = toObject(toObject(each)?.['response'])
      const usage = new GeminiUsage()
      usage.read(answer?.['usageMetadata'])
      const tokens = usage.tokens()
      const model = toServedModel(answer)
      this.model ??= model
      if (tokens !== null) this.#shares.add(model, tokens)
    }
  }

  end(): ShapeReading {
    const { tokens } = this.#shares
    if (tokens === null) return { tokens, hasError: false, isCharged: false }
    const shares = this.#shares.toShares(this.model)
    return {
      tokens,
      serviceTier: SERVICE_TIER,
      countedAs: `batch:${this.#id}`,
      hasError: false,
      ...(shares === undefined ? {} : { shares }),
    }
  }
}
