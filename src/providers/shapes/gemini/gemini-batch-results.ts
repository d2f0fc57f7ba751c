// Results of Gemini's batches, inside the batch or in a file of lines, as the requests were. Must
// stay true: each is counted whole or not at all, and once; a running batch has used nothing yet.

import type { TokenCounts } from '../../../core/token-counts.ts'
import type { JsonShape } from '../../../wire/json/json-members.ts'
import { noNames } from '../../requested-models/model-names.ts'
import { NO_READING } from '../../provider.ts'
import type { Operation, Reading, UsageReader } from '../../provider.ts'
import { batchResults } from '../batch-results.ts'
import type { BatchLine } from '../batch-results.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, ShapeReading } from '../document-reader.ts'
import { toModelName } from './gemini-path.ts'
import { GeminiUsage } from './gemini-usage.ts'
import type { JsonObject } from '../json-leaves.ts'
import { NAME_CHARS_MAX, toList, toName, toObject } from '../json-leaves.ts'
import { ModelShares } from '../model-shares.ts'

/** More requests than fit into the 20 MB of a batch with its requests inside. */
const RESPONSES_MAX = 20_000
const SERVICE_TIER = 'batch'

const ANSWER: JsonShape = {
  response: { modelVersion: true, usageMetadata: true, tokenCount: true },
}
const ANSWERS: JsonShape = { inlinedResponses: [ANSWER, RESPONSES_MAX] }
const OUTPUT: JsonShape = { inlinedResponses: ANSWERS, inlinedEmbedContentResponses: ANSWERS }
const BATCH: JsonShape = { response: OUTPUT, metadata: { model: true, output: OUTPUT } }
const NOT_DUE: Reading = { ...NO_READING, isCharged: false }

/** `base` is a pattern. */
export function geminiBatchResults(base: string): readonly Operation[] {
  const path = new RegExp(`^${base}/batches/([^/]{1,${NAME_CHARS_MAX}})$`)
  const createReader = readDocuments({
    needles: ['usageMetadata'],
    members: BATCH,
    createReader: (request) => new BatchReader(path.exec(request.path)?.[1] ?? ''),
  })
  return [
    {
      name: 'gemini-batch-read',
      matches: (request) => request.method === 'GET' && path.test(request.path),
      createModelReader: () => null,
      createNamesReader: noNames,
      createUsageReader: (request, response) => wholeOrNothing(createReader(request, response)),
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

/** The first look that reports usage is the one that counts, so it must be complete. */
function wholeOrNothing(reader: UsageReader): UsageReader {
  return {
    feed: (bytes) => reader.feed(bytes),
    end(isWhole) {
      const reading = reader.end(isWhole)
      // A count that could not be read is used all the same, at a cost that is not known.
      const isUnreadable = isWhole && reading.kind === 'partial' && reading.tokens === null
      return reading.kind === 'reported' || isUnreadable ? reading : NOT_DUE
    },
  }
}

/** Any file is downloaded under this path; a batch's lines are recognised by their keys. */
function readLine(line: JsonObject): BatchLine | null {
  if (typeof line['key'] !== 'string') return null
  const answer = toObject(line['response'])
  const tokens = toTokens(answer)
  return { shares: tokens === null ? [] : [{ model: toServedModel(answer), tokens }] }
}

/** An embedding reports its input only. */
function toTokens(answer: JsonObject | null): TokenCounts | null {
  const usage = new GeminiUsage()
  usage.read(answer?.['usageMetadata'] ?? { promptTokenCount: answer?.['tokenCount'] })
  return usage.tokens()
}

function toServedModel(answer: JsonObject | null): string | null {
  return toOptionalName(answer?.['modelVersion'])
}

function toOptionalName(value: unknown): string | null {
  const model = toName(value)
  return model === null ? null : toModelName(model)
}

/** Output stands in the batch's description, in the job's result, or in both. */
function findAnswers(document: JsonObject): readonly unknown[] {
  const outputs = [
    toObject(document['response']),
    toObject(toObject(document['metadata'])?.['output']),
  ]
  for (const output of outputs) {
    const container = output?.['inlinedResponses'] ?? output?.['inlinedEmbedContentResponses']
    const answers = toList(toObject(container)?.['inlinedResponses'])
    if (answers.length > 0) return answers
  }
  return []
}

class BatchReader implements DocumentReader {
  readonly #id: string
  readonly #shares = new ModelShares()
  model: string | null = null

  constructor(id: string) {
    this.#id = id
  }

  read(document: JsonObject): void {
    const batchModel = toOptionalName(toObject(document['metadata'])?.['model'])
    for (const each of findAnswers(document)) {
      const answer = toObject(toObject(each)?.['response'])
      const tokens = toTokens(answer)
      const model = toServedModel(answer) ?? batchModel
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
