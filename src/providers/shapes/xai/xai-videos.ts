// xAI's films: jobs that are queued, and polled until they are done and state their cost. Must stay
// true: a film is counted once, when it is seen to be done.

import { noNames } from '../../requested-models/model-names.ts'
import { NO_READING } from '../../provider.ts'
import type { Operation, Reading } from '../../provider.ts'
import { readDocuments, SILENT } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { modelOperation } from '../model-operation.ts'
import { xaiCost } from './xai-cost.ts'

const STARTED = /^\/v1\/videos\/(?:generations|edits|extensions)$/
const READ = /^\/v1\/videos\/(?<id>[^/]+)$/
/** An hour; no model makes longer ones. */
const SECONDS_MAX = 3600

const VIDEO: Omit<DocumentShape, 'createReader'> = {
  needles: ['"status"', '"video"'],
  members: { model: true, status: true, video: { url: true, duration: true }, error: true },
}

const QUEUED: Reading = { ...NO_READING, isCharged: false }

export function xaiVideos(): readonly Operation[] {
  return [
    modelOperation({
      name: 'xai-videos',
      path: STARTED,
      content: ['video', 'reference_images'],
      // What is due for it is read with the film.
      answer: (_, response) => (response.status >= 400 ? SILENT : { feed() {}, end: () => QUEUED }),
    }),
    {
      name: 'xai-stored-video',
      matches: (request) => request.method === 'GET' && READ.test(request.path),
      createModelReader: () => null,
      createNamesReader: noNames,
      createUsageReader: readDocuments(
        {
          ...VIDEO,
          createReader: ({ path }) => new VideoReader(toName(READ.exec(path)?.groups?.['id'])),
        },
        xaiCost,
      ),
    },
  ]
}

class VideoReader implements DocumentReader {
  readonly #id: string | null
  model: string | null = null
  #isDone = false
  #seconds: number | null = null
  #hasError = false

  constructor(id: string | null) {
    this.#id = id
  }

  read(document: JsonObject): void {
    const video = toObject(document['video'])
    const status = toName(document['status'])
    const { duration } = video ?? {}
    this.model = toName(document['model']) ?? this.model
    // Without a status, a film that can be fetched is done.
    this.#isDone = status === 'done' || (status === null && toName(video?.['url']) !== null)
    const isTime = typeof duration === 'number' && duration >= 0 && duration <= SECONDS_MAX
    this.#seconds = isTime ? duration : null
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const hasError = this.#hasError
    if (!this.#isDone || this.#id === null) return { tokens: null, hasError, isCharged: false }
    const toolCalls = this.#seconds === null ? {} : { video_ms: Math.round(this.#seconds * 1000) }
    const countedAs = `video:${this.#id}`
    return { tokens: null, hasError, toolCalls, isWithoutTokens: true, countedAs }
  }
}
