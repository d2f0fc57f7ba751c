// Where Google's APIs name a model: in the path, before the last colon, behind which stands the
// method; and in bodies as a resource. Must stay true: a name that policies compare is written one
// way only, and what is no plain name is none.

import type { Operation, RequestView } from '../../provider.ts'
import { createBodyModelReader, createKnownModelReader } from '../body-model.ts'

/** `{model}` of the path and what is done with it. */
export interface ModelCall {
  /** Null where the path has an id that hides the model. */
  readonly model: string | null
  readonly method: string
}

/** Finds the call in a path; null where the path is none of this route. */
export type ModelRoute = (path: string) => ModelCall | null

export interface ModelRouteOptions {
  /** A pattern of the whole path, whose last group is the segment `{model}:{method}`. */
  readonly pattern: RegExp
  /** Stands before the name of what is no published model: `tunedModels/`. */
  readonly prefix?: string
  readonly isHidden?: boolean
}

/** Neither blanks nor slashes, nor anything else that a server could read in two ways. */
const MODEL_NAME = /^[\w.@+-]{1,256}$/

export function createModelRoute({ pattern, prefix, isHidden }: ModelRouteOptions): ModelRoute {
  return (path) => {
    const segment = decodeOnce(pattern.exec(path)?.at(-1) ?? '')
    const colon = segment.lastIndexOf(':')
    if (colon < 1) return null
    const name = toModelName(segment.slice(0, colon))
    const isPlain = isHidden !== true && MODEL_NAME.test(name)
    return { model: isPlain ? `${prefix ?? ''}${name}` : null, method: segment.slice(colon + 1) }
  }
}

/** The first of the routes that knows the path. */
export function oneOfRoutes(routes: readonly ModelRoute[]): ModelRoute {
  return (path) => {
    for (const route of routes) {
      const call = route(path)
      if (call !== null) return call
    }
    return null
  }
}

/** Nothing where it cannot be decoded: such a path has no reader and no policy lets it pass. */
function decodeOnce(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

const RESOURCE = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?models\//

/** `models/x`, `publishers/google/models/x` and the whole resource name are all `x`. */
export function toModelName(name: string): string {
  return name.replace(RESOURCE, '')
}

/** Matches the methods of a route. */
export function matchMethods(route: ModelRoute, methods: readonly string[]): Operation['matches'] {
  return ({ method, path }) => {
    if (method !== 'POST') return false
    const call = route(path)
    return call !== null && methods.includes(call.method)
  }
}

/** The model of the path, for the record. */
export function readPathModel(route: ModelRoute): Operation['createModelReader'] {
  return ({ path }) => createKnownModelReader(route(path)?.model ?? null)
}

/** The model of the path, for policies. */
export function namesOfPath(route: ModelRoute): (request: RequestView) => readonly string[] | null {
  return ({ path }) => {
    const model = route(path)?.model ?? null
    return model === null ? null : [model]
  }
}

/** The model of the body, for the record, where bodies write it as a resource. */
export function createResourceModelReader(
  toName: (name: string) => string = toModelName,
): NonNullable<ReturnType<Operation['createModelReader']>> {
  const reader = createBodyModelReader()
  return {
    feed: (bytes) => reader.feed(bytes),
    end() {
      const name = reader.end()
      return name === null ? null : toName(name)
    },
  }
}
