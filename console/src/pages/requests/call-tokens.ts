// The tokens of a call by kind. Must stay true: kinds are parts of their whole, not beside it; what is in none of them is
// named too, so that the parts add up.

import type { RequestRow } from '../../../../src/api/contract.ts'

export interface TokenPart {
  readonly label: string
  readonly count: number
}

export interface TokenSide {
  readonly label: string
  /** Null where nothing is known. */
  readonly count: number | null
  /** Largest first; at least one where anything was used. */
  readonly parts: readonly TokenPart[]
}

type Kinds = readonly (readonly [label: string, count: number | null])[]

export function toTokenSides(call: RequestRow): readonly TokenSide[] {
  const input: Kinds = [
    ['read from cache', call.cache_read_tokens],
    ['written to cache, 5 minutes', call.cache_write_5m_tokens],
    ['written to cache, 1 hour', call.cache_write_1h_tokens],
    ['sound', call.input_audio_tokens],
    ['images', call.input_image_tokens],
  ]
  const output: Kinds = [
    ['reasoning', call.reasoning_tokens],
    ['sound', call.output_audio_tokens],
    ['images', call.output_image_tokens],
  ]
  return [
    toSide({ label: 'Input', count: call.input_tokens, rest: 'read afresh' }, input),
    toSide({ label: 'Output', count: call.output_tokens, rest: 'answer' }, output),
  ]
}

interface Whole {
  readonly label: string
  readonly count: number | null
  /** What is of none of the kinds. */
  readonly rest: string
}

function toSide({ label, count, rest }: Whole, kinds: Kinds): TokenSide {
  if (count === null) return { label, count, parts: [] }
  const told = kinds.flatMap(([name, part]) =>
    part === null || part === 0 ? [] : [{ label: name, count: part }],
  )
  const left = count - told.reduce((sum, part) => sum + part.count, 0)
  // Providers have contradicted themselves: then the parts are shown as they were told.
  const parts = left > 0 ? [...told, { label: rest, count: left }] : told
  return { label, count, parts: parts.toSorted((one, other) => other.count - one.count) }
}
