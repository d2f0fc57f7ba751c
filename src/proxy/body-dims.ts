// What a request's body says for the record: the dimensions that the operator has mapped, and what
// Claude Code says of itself. Read from a copy: nothing waits for it.

import type { BodyTexts } from '../agents/agents.ts'
import { parseClaudeUser } from '../agents/claude-user.ts'
import { DIM_VALUE_CHARS_MAX, dimValueFault } from '../core/dims.ts'
import type { DimLocation } from '../core/dims.ts'
import type { ModelReader } from '../providers/provider.ts'
import { createJsonMembers } from '../wire/json/json-members.ts'
import type { JsonMembers, JsonShape } from '../wire/json/json-members.ts'
import type { Dims } from './authorize.ts'

/** A character may be written as two escapes: `\ud83d\ude00`. */
const VALUE_BYTES_MAX = DIM_VALUE_CHARS_MAX * 12 + 2

/** Null where nothing is looked for; `isClaude`: its own members are. */
export type OpenBodyDims = (isClaude: boolean) => BodyDims | null

const CLAUDE_SHAPE: JsonShape = { metadata: { user_id: true }, system: [{ text: true }, 1] }

export interface BodyDims {
  /** True when no more bytes are needed. */
  feed(bytes: Uint8Array): boolean
  /** Called once. `dropped` is how many values cannot be those of a dimension. */
  end(): BodyFacts
}

interface BodyFacts {
  readonly dims: Dims
  readonly dropped: number
  readonly texts: BodyTexts
}

/** For the bodies of many calls. */
export function createBodyDims(places: readonly DimLocation[]): OpenBodyDims {
  const shape = toShape(places)
  const claudeShape = merge(CLAUDE_SHAPE, shape)
  return (isClaude) => {
    if (places.length === 0 && !isClaude) return null
    const wanted = { shape: isClaude ? claudeShape : shape, valueBytesMax: VALUE_BYTES_MAX }
    return new MappedDims(places, createJsonMembers(wanted))
  }
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

  end(): BodyFacts {
    const { value: body } = this.#members.end()
    const dims: Record<string, string> = {}
    let dropped = 0
    for (const { path, dim } of this.#places) {
      const value = toUser(valueAt(body, path))
      // Empty is how some clients write "none"; of two places for one dimension the first counts.
      if (typeof value !== 'string' || value === '' || Object.hasOwn(dims, dim)) continue
      if (dimValueFault(value) === null) dims[dim] = value
      else dropped++
    }
    const user = valueAt(body, ['metadata', 'user_id'])
    return { dims, dropped, texts: { user, head: valueAt(body, ['system', '0', 'text']) } }
  }
}

/** Claude Code's has the session in it, and would be another user with each. */
function toUser(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseClaudeUser(value) : null
  return parsed === null ? value : parsed.account || parsed.device
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

/** Where both look for a member, or one within it, the whole of it is kept. */
function merge(one: JsonShape, other: JsonShape): JsonShape {
  const merged: Record<string, JsonShape[string]> = { ...one }
  for (const [name, wanted] of Object.entries(other)) {
    const known = merged[name]
    const areShapes = isShape(known) && isShape(wanted)
    merged[name] = areShapes ? merge(known, wanted) : known === undefined ? wanted : true
  }
  return merged
}

function isShape(wanted: JsonShape[string] | undefined): wanted is JsonShape {
  return typeof wanted === 'object' && !Array.isArray(wanted)
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
