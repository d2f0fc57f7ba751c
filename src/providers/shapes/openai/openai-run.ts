// A run of an OpenAI assistant. Must stay true: the first answer with its figures counts, once.

import { hiddenNames, noNames } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { createBodyModelReader } from '../body-model.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName } from '../json-leaves.ts'
import { matchPath, patternUnder } from '../model-operation.ts'
import type { PathPattern } from '../model-operation.ts'
import { OpenaiUsage } from './openai-usage.ts'

const RUN: DocumentShape = {
  // The closing quote excludes a run's steps, whose figures are part of the run's own.
  needles: ['"thread.run"', 'error', '[DONE]'],
  members: {
    id: true,
    object: true,
    model: true,
    status: true,
    usage: true,
    last_error: true,
    error: true,
  },
  createReader: () => new RunReader(),
}

const hidden = hiddenNames('the assistant of a run names its model out of sight')

export function openaiRun(base: PathPattern): Operation {
  const isStarted = matchPath(
    'POST',
    patternUnder(base, '/threads/(?:[^/]+/)?runs(?:/[^/]+/submit_tool_outputs)?'),
  )
  const isRead = matchPath('GET', patternUnder(base, '/threads/[^/]+/runs/[^/]+'))
  const isCancelled = matchPath('POST', patternUnder(base, '/threads/[^/]+/runs/[^/]+/cancel'))
  return {
    name: 'openai-run',
    matches: (request) => isStarted(request) || isRead(request) || isCancelled(request),
    createModelReader: (request) => (isStarted(request) ? createBodyModelReader() : null),
    createNamesReader: (request) => (isStarted(request) ? hidden : noNames)(request),
    createUsageReader: readDocuments(RUN),
  }
}

class RunReader implements DocumentReader {
  readonly #usage = new OpenaiUsage()
  model: string | null = null
  isFinished = false
  #id: string | null = null
  #hasError = false

  read(document: JsonObject, event: string | null): void {
    this.#hasError ||= event === 'error' || (document['error'] ?? null) !== null
    if (document['object'] !== 'thread.run') return
    this.model = toName(document['model']) ?? this.model
    this.#id = toName(document['id']) ?? this.#id
    this.#usage.read(document['usage'])
    this.isFinished = event !== null && this.#usage.tokens() !== null
    this.#hasError ||= (document['last_error'] ?? null) !== null
  }

  end(): ShapeReading {
    const tokens = this.#usage.tokens()
    const hasError = this.#hasError
    // A caller that stops watching does not stop the run: a later look has its figures.
    if (tokens === null || this.#id === null) return { tokens: null, hasError, isCharged: false }
    return { tokens, hasError, countedAs: `run:${this.#id}` }
  }
}
