// The dimensions in a request's body, as the operator has mapped them. Read for the record only,
// from a copy: nothing waits for them.

import { DIM_VALUE_CHARS_MAX, dimValueFault } from '../core/dims.ts'
import type { DimLocation } from '../core/dims.ts'
import type { ModelReader } from '../providers/provider.ts'
import { createJsonMembers } from '../wire/json/json-members.ts'
import type { JsonMembers, JsonShape } from '../wire/json/json-members.ts'
import type { Dims } from './authorize.ts'

/** A character may be written as two escapes: `\ud83d\ude00`. */
const VALUE_BYTES_MAX = DIM_VALUE_CHARS_MAX * 12 + 2

export type OpenBodyDims = () => BodyDims

export interface BodyDims {
  /** True when no more bytes are needed. */
  feed(bytes: Uint8Array): boolean
  /** Called once. `dropped` is how many values cannot be those of a dimension. */
  end(): { readonly dims: Dims; readonly dropped: number }
}

/** For the bodies of many calls. */
export function createBodyDims(places: readonly DimLocation[]): OpenBodyDims {
  const shape = toShape(places)
  return () => new MappedDims(places, createJsonMembers({ shape, valueBytesMax: VALUE_BYTES_MAX }))
}

class MappedDims implements BodyDims {
  readonly #places: readonly DimLocation[]
  readonly #members: JsonMembers

  constructor(places: readonly DimLocation[], members: JsonMembers) {
    this.#places = places
    this.#members = members
  }

  feed(bytes: Uint8Array): boolean {
    if (!this.#members.isDone) this.#members.feed(bytes)
    return this.#members.isDone
  }

  end(): { readonly dims: Dims; readonly dropped: number } {
    const { value: body } = this.#members.end()
    const dims: Record<string, string> = {}
    let dropped = 0
    for (const { path, dim } of this.#places) {
      const value = valueAt(body, path)
      // Empty is how some clients write "none"; of two places for one dimension the first counts.
      if (typeof value !== 'string' || value === '' || Object.hasOwn(dims, dim)) continue
      if (dimValueFault(value) === null) dims[dim] = value
      else dropped++
    }
    return { dims, dropped }
  }
}

/** Both read the same body; the model is often known long before its end. */
export function withDims(model: ModelReader | null, dims: BodyDims): ModelReader {
  let isModelKnown = model === null
  return {
    feed: (bytes) => {
      isModelKnown ||= model?.feed(bytes) === true
      return dims.feed(bytes) && isModelKnown
    },
    end: () => model?.end() ?? null,
    complete: (reading, isWhole) => model?.complete?.(reading, isWhole) ?? reading,
  }
}

function toShape(places: readonly DimLocation[]): JsonShape {
  const root: Record<string, JsonShape | true> = {}
  for (const { path } of places) {
    let shape = root
    for (const name of path.slice(0, -1)) {
      shape = (shape[name] ??= {}) as Record<string, JsonShape | true>
    }
    shape[path.at(-1) as string] = true
  }
  return root
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
