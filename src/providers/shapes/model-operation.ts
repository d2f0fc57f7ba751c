// The usual call that runs a model: posted to a path, with a body that names the model, unless the
// path does, and an answer of one shape.

import { namesIn } from '../requested-models/model-names.ts'
import type { NamesOptions } from '../requested-models/model-names.ts'
import type { ModelReader, Operation, RequestView } from '../provider.ts'
import { createBodyModelReader, createKnownModelReader } from './body-model.ts'
import { readDocuments } from './document-reader.ts'
import type { DocumentShape } from './document-reader.ts'
import { createFormModelReader } from './form-model.ts'
import type { ShapeAddition } from './shape-addition.ts'

/** A whole path, or a pattern anchored at both ends. */
export type PathPattern = string | RegExp

export interface ModelOptions {
  readonly addition?: ShapeAddition
  /** Models named before the body: empty where the body names it, null if unreadable. */
  readonly fromHead?: (request: RequestView) => readonly string[] | null
  readonly isOwnIgnored?: NonNullable<NamesOptions['isOwnIgnored']>
  /** Members that name the model where `model` is left out. */
  readonly naming?: readonly string[]
  readonly normalise?: NonNullable<NamesOptions['normalise']>
}

export interface ModelOperation extends ModelOptions {
  readonly name: string
  readonly path: PathPattern
  readonly body?: NonNullable<NamesOptions['body']>
  /** Root members with the caller's own content, beside the usual ones. */
  readonly content?: readonly string[]
  /** Its shape, or what reads it. */
  readonly answer: DocumentShape | Operation['createUsageReader']
}

export function modelOperation(options: ModelOperation): Operation {
  const { name, path, body = 'json', fromHead, answer, addition } = options
  const createBodyReader = body === 'json' ? createBodyModelReader : createFormModelReader
  const createReader = (request: RequestView): ModelReader => {
    const named = fromHead?.(request)?.[0]
    return named === undefined ? createBodyReader(request) : createKnownModelReader(named)
  }
  return {
    name,
    matches: matchPath('POST', path),
    createModelReader: fromHead === undefined ? createBodyReader : createReader,
    createNamesReader: namesIn(options),
    createUsageReader: typeof answer === 'function' ? answer : readDocuments(answer, addition),
  }
}

export function matchPath(method: string, path: PathPattern): Operation['matches'] {
  return typeof path === 'string'
    ? (request) => request.path === path && request.method === method
    : (request) => request.method === method && path.test(request.path)
}

/** `rest` is a plain path, and so is a base that is a text. */
export function pathUnder(base: PathPattern, rest: string): PathPattern {
  return typeof base === 'string' ? base + rest : patternUnder(base, RegExp.escape(rest))
}

/** `rest` is the source of a pattern. */
export function patternUnder(base: PathPattern, rest: string): RegExp {
  const source = typeof base === 'string' ? RegExp.escape(base) : `(?:${base.source})`
  return new RegExp(`^${source}${rest}$`)
}
