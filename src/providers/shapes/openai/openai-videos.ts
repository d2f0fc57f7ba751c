// OpenAI's videos: jobs that are queued, polled until done, and billed by their length. Must stay
// true: a video is counted once, when it is seen to be done, and never if it fails. The kinds are a
// fixed list: by size only where that decides the price.

import { hiddenNames, noNames } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName } from '../json-leaves.ts'
import { matchPath, modelOperation, pathUnder, patternUnder } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'

/** An hour; no model makes longer ones. */
const SECONDS_MAX = 3600

const VIDEO: DocumentShape = {
  needles: ['"video"', 'error'],
  members: { id: true, model: true, status: true, seconds: true, size: true, error: true },
  createReader: () => new VideoReader(),
}

/** `POST {base}/videos`. */
export function openaiVideos(base: PathPattern, options: ModelOptions = {}): Operation {
  return modelOperation({
    ...options,
    name: 'openai-videos',
    path: pathUnder(base, '/videos'),
    body: 'json-or-form',
    answer: VIDEO,
  })
}

const hidden = hiddenNames('a video that is made from another keeps the model of that one')

/** `GET {base}/videos/{id}`, and the calls that make a video from another. */
export function openaiStoredVideo(base: PathPattern): Operation {
  const isRead = matchPath('GET', patternUnder(base, '/videos/[^/]+'))
  const isDerived = matchPath(
    'POST',
    patternUnder(base, '/videos/(?:edits|extensions|[^/]+/remix)'),
  )
  return {
    name: 'openai-stored-video',
    matches: (request) => isRead(request) || isDerived(request),
    createModelReader: () => null,
    createNamesReader: (request) => (request.method === 'GET' ? noNames : hidden)(request),
    createUsageReader: readDocuments(VIDEO),
  }
}

class VideoReader implements DocumentReader {
  model: string | null = null
  #id: string | null = null
  #isDone = false
  #seconds: number | null = null
  #size: string | null = null
  #hasError = false

  read(document: JsonObject): void {
    this.model = toName(document['model']) ?? this.model
    this.#id = toName(document['id']) ?? this.#id
    this.#isDone = document['status'] === 'completed'
    this.#seconds = toSeconds(document['seconds'])
    this.#size = toName(document['size'])
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const hasError = this.#hasError
    if (!this.#isDone || this.#id === null) return { tokens: null, hasError, isCharged: false }
    const countedAs = `video:${this.#id}`
    if (this.#seconds === null) return { tokens: null, hasError, countedAs }
    const kind = toKind(this.model, this.#size)
    const toolCalls = { [kind]: Math.round(this.#seconds * 1000) }
    return { tokens: null, hasError, countedAs, toolCalls, isWithoutTokens: true }
  }
}

const BY_SIZE = /^sora-2-pro/i
const SIZES = ['720x1280', '1280x720', '1024x1792', '1792x1024']

/** `video_1280x720_ms`; of other models, and of a size that is not known, `video_ms`. */
function toKind(model: string | null, size: string | null): string {
  const isSized = size !== null && SIZES.includes(size) && BY_SIZE.test(model ?? '')
  return isSized ? `video_${size}_ms` : 'video_ms'
}

/** Reported as a text, `"8"`; a number is accepted too. */
function toSeconds(value: unknown): number | null {
  const isStated = typeof value === 'number' || (typeof value === 'string' && value !== '')
  const seconds = isStated ? Number(value) : Number.NaN
  return seconds > 0 && seconds <= SECONDS_MAX ? seconds : null
}
