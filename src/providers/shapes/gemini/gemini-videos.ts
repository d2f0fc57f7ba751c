// Videos of Google's APIs. The answer is the name of a job, and nothing that passes later says how
// long a film is: what was asked for is counted when the job is taken. Must stay true: what the
// request leaves to the service is not guessed, and the kinds are a fixed list.

import type { Operation, Reading } from '../../provider.ts'
import { withUnitsFromRequest } from '../units-from-request.ts'
import type { UnitsFromRequest } from '../units-from-request.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toObject } from '../json-leaves.ts'
import { methodsOf } from './gemini-path.ts'
import type { ModelRoute } from './gemini-path.ts'

export interface GeminiVideosOptions {
  /** How many are made where the request does not say it; left out where that is not known. */
  readonly defaultSamples?: number
}

const JOB: DocumentShape = {
  needles: ['"error"'],
  framing: 'array',
  members: { error: true },
  createReader: () => new JobReader(),
}

export function geminiVideos(route: ModelRoute, options: GeminiVideosOptions = {}): Operation {
  const operation: Operation = {
    name: 'gemini-long-running',
    ...methodsOf(route, ['predictLongRunning'], { content: ['instances'] }),
    createUsageReader: readDocuments(JOB),
  }
  return withUnitsFromRequest(operation, askedFilms(options.defaultSamples ?? null))
}

class JobReader implements DocumentReader {
  readonly model = null
  #hasError = false

  read(document: JsonObject): void {
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    return { tokens: null, hasError: this.#hasError }
  }
}

/** More than any model makes, of one film and of films at once. */
const SECONDS_MAX = 3600
const SAMPLES_MAX = 64

/** Where a price depends on it. The first is what is made unasked. */
const RESOLUTIONS: Readonly<Record<string, string>> = { '720p': '', '1080p': '1080p_', '4k': '4k_' }

function askedFilms(defaultSamples: number | null): UnitsFromRequest {
  const parameters = {
    durationSeconds: true,
    sampleCount: true,
    resolution: true,
    generateAudio: true,
  } as const
  return {
    members: { parameters },
    complete(reading, { members }, isWhole): Reading {
      const asked = toObject(members?.['parameters'])
      const seconds = toWhole(asked?.['durationSeconds'], SECONDS_MAX)
      const samples = toWhole(asked?.['sampleCount'] ?? defaultSamples, SAMPLES_MAX)
      const kind = asked === null ? null : toKind(asked)
      if (seconds === null || samples === null || kind === null) return reading
      if (reading.hasError || !isWhole) return reading
      return { ...reading, kind: 'from-request', toolCalls: { [kind]: samples * seconds * 1000 } }
    },
  }
}

/** `video_ms`, `video_1080p_ms`, `video_silent_ms`. */
function toKind(asked: JsonObject): string | null {
  const resolution = asked['resolution'] ?? '720p'
  if (typeof resolution !== 'string' || !Object.hasOwn(RESOLUTIONS, resolution)) return null
  const sound = asked['generateAudio'] === false ? 'silent_' : ''
  return `video_${RESOLUTIONS[resolution]}${sound}ms`
}

/** Google writes numbers as texts at times. */
function toWhole(value: unknown, max: number): number | null {
  const count = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  const isWhole = typeof count === 'number' && Number.isSafeInteger(count)
  return isWhole && count > 0 && count <= max ? count : null
}
