// Models in Google's APIs: in the path as `{model}:{method}`, in bodies as a resource name. Must
// stay true: policies compare one spelling only, and what is not a plain name is none.

import { namesIn } from '../../requested-models/model-names.ts'
import type { DocumentNamesOptions } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { createBodyModelReader, createKnownModelReader } from '../body-model.ts'

export interface ModelCall {
  /** Null where an id in the path hides the model. */
  readonly model: string | null
  readonly method: string
}

export type ModelRoute = (path: string) => ModelCall | null

export interface ModelRouteOptions {
  /** Matches the whole path; its last group is `{model}:{method}`. */
  readonly pattern: RegExp
  /** Prefix for a model that is not a published one: `tunedModels/`. */
  readonly prefix?: string
  readonly isHidden?: boolean
}

/** Without anything that servers could read in two ways, such as blanks or slashes. */
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

export function oneOfRoutes(routes: readonly ModelRoute[]): ModelRoute {
  return (path) => {
    for (const route of routes) {
      const call = route(path)
      if (call !== null) return call
    }
    return null
  }
}

/** Empty where it cannot be decoded: no reader and no policy accepts such a path. */
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

export function matchMethods(route: ModelRoute, methods: readonly string[]): Operation['matches'] {
  return ({ method, path }) => {
    if (method !== 'POST') return false
    const call = route(path)
    return call !== null && methods.includes(call.method)
  }
}

/** What calls of a model's methods share: the path names the model. */
export function methodsOf(
  route: ModelRoute,
  methods: readonly string[],
  words: Pick<DocumentNamesOptions, 'content' | 'hiding'> = {},
): Pick<Operation, 'matches' | 'createModelReader' | 'createNamesReader'> {
  const toModel = (path: string): string | null => route(path)?.model ?? null
  return {
    matches: matchMethods(route, methods),
    createModelReader: ({ path }) => createKnownModelReader(toModel(path)),
    createNamesReader: namesIn({
      ...words,
      fromHead: ({ path }) => {
        const model = toModel(path)
        return model === null ? null : [model]
      },
      // A routing configuration can choose another model than the path's.
      naming: ['modelName'],
      normalise: toModelName,
    }),
  }
}

/** For the record, where bodies name the model as a resource. */
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
