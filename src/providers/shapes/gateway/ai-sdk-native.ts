// The AI SDK's own protocol: the model is in a header, the answer JSON or a stream up to `finish`.
// Must stay true: a waiting job is not charged, and a finished one is counted once.

import { namesIn } from '../../requested-models/model-names.ts'
import type { Operation, RequestView } from '../../provider.ts'
import { AiSdkUsage } from './ai-sdk-usage.ts'
import { createBodyModelReader, createKnownModelReader } from '../body-model.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import type { ShapeAddition } from '../shape-addition.ts'

/** Content of some kinds of models, beside what is content everywhere. */
const CONTENT = ['values', 'audio', 'files', 'mask', 'frameImages', 'inputReferences', 'stateParts']

export interface AiSdkNativeOptions {
  readonly name: string
  readonly paths: readonly string[]
  /** The header that names the model; left out where the body does. */
  readonly modelHeader?: string
  /** Its models are not measured in tokens: pictures, sound, videos, rankings. */
  readonly isWithoutTokens?: true
  /** It writes text, which is counted where nothing reports the tokens. */
  readonly isWriting?: true
  readonly isJob?: true
  readonly addition?: ShapeAddition
}

export function aiSdkNative(options: AiSdkNativeOptions): Operation {
  const { name, paths, modelHeader } = options
  const readModel = (request: RequestView): string | null =>
    modelHeader === undefined ? null : toName(request.header(modelHeader))
  const shape: DocumentShape = {
    needles: ['"finish"', '"result"', '"error"', '[DONE]'],
    modelNeedles: ['"modelId"'],
    members: {
      type: true,
      usage: true,
      model: true,
      response: { modelId: true },
      error: true,
      status: true,
      durationInSeconds: true,
      providerMetadata: true,
    },
    ...(options.isWriting === true ? { texts: ['delta', 'text'] } : {}),
    createReader: (request) => new NativeReader(options, readModel(request)),
  }
  return {
    name,
    matches: (request) => request.method === 'POST' && paths.includes(request.path),
    createModelReader: (request) =>
      modelHeader === undefined
        ? createBodyModelReader()
        : createKnownModelReader(readModel(request)),
    createNamesReader: namesIn({
      content: CONTENT,
      ...(modelHeader === undefined
        ? {}
        : { fromHead: (request: RequestView) => toNames(request.header(modelHeader)) }),
    }),
    createUsageReader: readDocuments(shape, options.addition),
  }
}

/** Without the header, nothing shows what would run. */
function toNames(value: string | null): readonly string[] | null {
  return value === null ? null : [value]
}

class NativeReader implements DocumentReader {
  readonly #options: AiSdkNativeOptions
  readonly #requestedModel: string | null
  readonly #usage = new AiSdkUsage()
  model: string | null = null
  isFinished = false
  #hasError = false
  #hasMetadata = false
  #audioMs: number | null = null
  #jobStatus: string | null = null
  #jobId: string | null = null

  constructor(options: AiSdkNativeOptions, requestedModel: string | null) {
    this.#options = options
    this.#requestedModel = requestedModel
  }

  read(document: JsonObject, event: string | null): void {
    const type = document['type']
    this.#hasError ||= type === 'error' || event === 'error' || (document['error'] ?? null) !== null
    this.isFinished ||= type === 'finish' || type === 'result'
    this.model = this.#toServedModel(document) ?? this.model
    this.#usage.read(document['usage'])
    this.#audioMs = toMilliseconds(document['durationInSeconds']) ?? this.#audioMs
    this.#jobStatus = toName(document['status']) ?? this.#jobStatus
    const metadata = toObject(document['providerMetadata'])
    if (metadata === null) return
    this.#hasMetadata = true
    this.#jobId = findJobId(metadata) ?? this.#jobId
  }

  get isMeasured(): boolean {
    return this.#usage.tokens() !== null
  }

  end(): ShapeReading {
    const { isWithoutTokens, isJob } = this.#options
    const tokens = this.#usage.tokens()
    const reading: ShapeReading = {
      tokens,
      hasError: this.#hasError,
      toolCalls: this.#audioMs === null ? {} : { audio_ms: this.#audioMs },
      isWithoutTokens: isWithoutTokens === true && tokens === null && this.#hasMetadata,
    }
    if (isJob !== true) return reading
    if (this.#jobStatus !== 'completed') {
      return { ...reading, isWithoutTokens: false, isCharged: false }
    }
    return this.#jobId === null ? reading : { ...reading, countedAs: this.#jobId }
  }

  /** The upstream's name lacks its maker: then the requested slug says more. */
  #toServedModel(document: JsonObject): string | null {
    const response = toObject(document['response'])
    const model =
      toName(document['modelId']) ?? toName(response?.['modelId']) ?? toName(document['model'])
    const isLess = this.#requestedModel?.includes('/') === true && model?.includes('/') === false
    return isLess ? null : model
  }
}

/** The only way to recognise two answers about the same job. */
function findJobId(metadata: JsonObject): string | null {
  const gateway = toObject(metadata['gateway'])
  const jobId = toName(toObject(gateway?.['asyncJob'])?.['jobId'])
  if (jobId !== null) return `job:${jobId}`
  const generationId = toName(gateway?.['generationId'])
  return generationId === null ? null : `generation:${generationId}`
}

function toMilliseconds(seconds: unknown): number | null {
  const isDuration = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
  return isDuration ? Math.round(seconds * 1000) : null
}
