// OpenAI's transcriptions and translations, which report tokens, seconds, or as plain text neither.

import type { NamesOptions } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { readDocuments, SILENT } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { modelOperation } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { OpenaiUsage } from './openai-usage.ts'

/** A week; no recording is longer. */
const SECONDS_MAX = 7 * 24 * 3600

const TRANSCRIPTION = {
  needles: ['_tokens"', '"seconds"', '"duration"', '.done"', 'error', '[DONE]'],
  modelNeedles: ['"model"'],
  members: { model: true, usage: true, duration: true, error: true, type: true },
} as const

/** Plain text may begin like JSON or an event, so these types are never read as such. */
const TEXT_TYPE = /^\s*(?:text\/(?:plain|vtt)|application\/x-subrip)\b/i

export interface OpenaiTranscriptionOptions extends ModelOptions {
  readonly name?: string
  /** A form when left out. */
  readonly body?: NonNullable<NamesOptions['body']>
  /** A shorter recording is billed as if it were this long, and so it is counted. */
  readonly billedMsMin?: number
}

export function openaiTranscription(
  path: PathPattern,
  options: OpenaiTranscriptionOptions = {},
): Operation {
  const shape: DocumentShape = {
    ...TRANSCRIPTION,
    createReader: () => new TranscriptionReader(options.billedMsMin ?? 0),
  }
  const createReader = readDocuments(shape, options.addition)
  return modelOperation({
    ...options,
    name: options.name ?? 'openai-transcription',
    path,
    body: options.body ?? 'form',
    answer: (request, response) =>
      TEXT_TYPE.test(response.header('content-type') ?? '')
        ? SILENT
        : createReader(request, response),
  })
}

export function openaiTranslation(
  path: PathPattern,
  options: Omit<OpenaiTranscriptionOptions, 'name'> = {},
): Operation {
  return openaiTranscription(path, { ...options, name: 'openai-translation' })
}

class TranscriptionReader implements DocumentReader {
  readonly #usage = new OpenaiUsage()
  model: string | null = null
  isFinished = false
  readonly #billedMsMin: number
  #audioMs: number | null = null
  #hasError = false

  constructor(billedMsMin: number) {
    this.#billedMsMin = billedMsMin
  }

  read(document: JsonObject, event: string | null): void {
    const type = toName(document['type']) ?? event
    this.model = toName(document['model']) ?? this.model
    const usage = toObject(document['usage'])
    this.#usage.read(usage)
    // The usage's rounded time is billed; the recording's own stands in for it.
    this.#audioMs = toMs(usage?.['seconds']) ?? this.#audioMs ?? toMs(document['duration'])
    this.isFinished ||= type?.endsWith('.done') === true
    this.#hasError ||= type === 'error' || (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const tokens = this.#usage.tokens()
    const hasError = this.#hasError
    if (tokens !== null || this.#audioMs === null) return { tokens, hasError }
    const toolCalls = { audio_ms: Math.max(this.#audioMs, this.#billedMsMin) }
    return { tokens, hasError, toolCalls, isWithoutTokens: true }
  }
}

/** Whole milliseconds; null where it is not a duration. */
function toMs(seconds: unknown): number | null {
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds <= SECONDS_MAX
  return isTime ? Math.round(seconds * 1000) : null
}
