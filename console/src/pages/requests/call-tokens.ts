// The tokens of a call by kind. Must stay true: kinds are parts of their whole, not beside it;
// tokens of no kind are named too, so that the parts add up.

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
  const cachedAudio = call.cache_read_audio_tokens ?? 0
  const cachedImages = call.cache_read_image_tokens ?? 0
  const cachedRest = (call.cache_read_tokens ?? 0) - cachedAudio - cachedImages
  const input: Kinds = [
    ['read from cache', cachedRest],
    ['sound read from cache', cachedAudio],
    ['images read from cache', cachedImages],
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
    toSide({ label: 'Input', count: call.input_tokens, rest: 'not cached' }, input),
    toSide({ label: 'Output', count: call.output_tokens, rest: 'answer' }, output),
  ]
}

interface Whole {
  readonly label: string
  readonly count: number | null
  /** The name of tokens of no kind. */
  readonly rest: string
}

function toSide({ label, count, rest }: Whole, kinds: Kinds): TokenSide {
  if (count === null) return { label, count, parts: [] }
  const reported = kinds.flatMap(([name, part]) =>
    part === null || part === 0 ? [] : [{ label: name, count: part }],
  )
  const left = count - reported.reduce((sum, part) => sum + part.count, 0)
  // Some providers contradict themselves: then the parts are shown as reported.
  const parts = left > 0 ? [...reported, { label: rest, count: left }] : reported
  return { label, count, parts: parts.toSorted((one, other) => other.count - one.count) }
}
