// What the calls of OpenAI's API have in common: a path below a base, a model in the body or before
// it, an answer of documents. Azure puts the same calls below a path that names the model itself.

import { namesIn } from '../../names/model-names.ts'
import type { NamesOptions } from '../../names/model-names.ts'
import type { ModelReader, Operation, RequestView } from '../../provider.ts'
import { createBodyModelReader, createKnownModelReader } from '../body-model.ts'
import { createFormModelReader } from '../form-model.ts'
import type { ShapeAddition } from '../shape-addition.ts'

/** A whole path, or a pattern with both ends fixed. */
export type PathPattern = string | RegExp

export interface OpenaiOptions {
  readonly addition?: ShapeAddition
  /**
   * Models that stand before the body: none where the body names it, null where it cannot be read.
   */
  readonly fromHead?: (request: RequestView) => readonly string[] | null
  /** Members that name the model where `model` is left out. */
  readonly naming?: readonly string[]
}

export interface OpenaiOperation extends OpenaiOptions {
  readonly name: string
  readonly path: PathPattern
  readonly body?: NonNullable<NamesOptions['body']>
  readonly createUsageReader: Operation['createUsageReader']
}

/** A call that runs the model which its body or its head names. */
export function openaiOperation(options: OpenaiOperation): Operation {
  const { name, path, body = 'json', fromHead, naming = [], createUsageReader } = options
  const createBodyReader = body === 'json' ? createBodyModelReader : createFormModelReader
  const createReader = (request: RequestView): ModelReader => {
    const named = fromHead?.(request)?.[0]
    return named === undefined ? createBodyReader(request) : createKnownModelReader(named)
  }
  return {
    name,
    matches: matchPath('POST', path),
    createModelReader: fromHead === undefined ? createBodyReader : createReader,
    createNamesReader: namesIn(
      fromHead === undefined ? { body, naming } : { body, naming, fromHead },
    ),
    createUsageReader,
  }
}

export function matchPath(method: string, path: PathPattern): Operation['matches'] {
  return typeof path === 'string'
    ? (request) => request.path === path && request.method === method
    : (request) => request.method === method && path.test(request.path)
}

/** A path below a base; `rest` is a plain path, and so is a base that is a text. */
export function pathUnder(base: PathPattern, rest: string): PathPattern {
  return typeof base === 'string' ? base + rest : patternUnder(base, RegExp.escape(rest))
}

/** As above, `rest` being the source of a pattern. */
export function patternUnder(base: PathPattern, rest: string): RegExp {
  const source = typeof base === 'string' ? RegExp.escape(base) : `(?:${base.source})`
  return new RegExp(`^${source}${rest}$`)
}
