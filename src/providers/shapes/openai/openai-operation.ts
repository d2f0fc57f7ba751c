// What OpenAI's calls share. Azure has the same calls below a path that names the model.

import { namesIn } from '../../requested-models/model-names.ts'
import type { NamesOptions } from '../../requested-models/model-names.ts'
import type { ModelReader, Operation, RequestView } from '../../provider.ts'
import { createBodyModelReader, createKnownModelReader } from '../body-model.ts'
import { createFormModelReader } from '../form-model.ts'
import type { ShapeAddition } from '../shape-addition.ts'

/** A whole path, or a pattern anchored at both ends. */
export type PathPattern = string | RegExp

export interface OpenaiOptions {
  readonly addition?: ShapeAddition
  /** Models named before the body: empty where the body names it, null if unreadable. */
  readonly fromHead?: (request: RequestView) => readonly string[] | null
  readonly isOwnIgnored?: NonNullable<NamesOptions['isOwnIgnored']>
  /** Members that name the model where `model` is left out. */
  readonly naming?: readonly string[]
  readonly normalise?: NonNullable<NamesOptions['normalise']>
}

export interface OpenaiOperation extends OpenaiOptions {
  readonly name: string
  readonly path: PathPattern
  readonly body?: NonNullable<NamesOptions['body']>
  readonly createUsageReader: Operation['createUsageReader']
}

export function openaiOperation(options: OpenaiOperation): Operation {
  const { name, path, body = 'json', fromHead, createUsageReader } = options
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
    createUsageReader,
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
