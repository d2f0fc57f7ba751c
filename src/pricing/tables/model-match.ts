// Whether a price rule applies to a model. The bundle's open rules ("starts with gpt-4o-realtime")
// match here only when a snapshot date or the like follows: later models may cost something else. A
// missed model is unpriced, which is seen and fixed; a wrong match is a wrong cost no one sees.

import type { MatchLogic } from '../data/model-price.ts'

/** Longer names are not looked up: no provider has one, and matching cost grows with length. */
export const MODEL_LENGTH_MAX = 200

// `-2025-08-07`, `-20250807`, `-0125`, `-09-2025`, `-preview`, `-latest`, `-v1:0`, `@20250514`;
// Vertex's `@default`; Amazon's `-v1` and `-120b-1:0`; OpenAI's `:20230824-v2`. One- and two-digit
// numbers alone are versions (`-5`, `.5`), hence other models. Names are callers' input: without
// the bound, a hundred digits would be tried in every division.
const SNAPSHOT_TAIL =
  /^(?:[-@:]?(?:\d{4}-\d{2}-\d{2}|\d{8}(?:-v\d(?!:))?|\d{2}-\d{4}|\d{2}-\d{2}|\d{3,4}|preview|latest|exp|v\d{1,3}:\d{1,3}|v1)){0,4}(?:@?default|:\d{1,2})?$/

// A fine-tuned name goes on with the base's date, then `:organisation:suffix:id`.
const FINE_TUNED_TAIL = /^[-\d]*(?::.*)?$/

/** The names that a rule spells out, in lower case. */
export function exactNames(match: MatchLogic): readonly string[] {
  if ('equals' in match) return [match.equals.toLowerCase()]
  if ('or' in match) return match.or.flatMap(exactNames)
  return []
}

export function literalsOf(match: MatchLogic): readonly string[] {
  if ('or' in match) return match.or.flatMap(literalsOf)
  if ('and' in match) return match.and.flatMap(literalsOf)
  return 'regex' in match ? [] : Object.values(match).map((text) => text.toLowerCase())
}

/** How many characters of the rule the model matches; null where it does not match. */
export type ModelMatcher = (model: string) => number | null

/** For what exactNames does not cover; null when there is nothing else in the rule. */
export function createMatcher(match: MatchLogic): ModelMatcher | null {
  if ('equals' in match) return null
  if ('or' in match) {
    const some = match.or.map(createMatcher).filter((matcher) => matcher !== null)
    return some.length === 0 ? null : (model) => longest(some.map((matcher) => matcher(model)))
  }
  if ('and' in match) {
    const every = match.and.map((part) => createMatcher(part) ?? createExactMatcher(part))
    return (model) => {
      const lengths = every.map((matcher) => matcher(model))
      return lengths.includes(null) ? null : longest(lengths)
    }
  }
  if ('regex' in match) return createRegexMatcher(match.regex)
  if ('ends_with' in match) {
    const end = match.ends_with.toLowerCase()
    return (model) => (model.endsWith(end) ? end.length : null)
  }
  if ('starts_with' in match) {
    const start = match.starts_with.toLowerCase()
    return (model) =>
      model.startsWith(start) && isSameModel(start, model.slice(start.length)) ? start.length : null
  }
  const part = match.contains.toLowerCase()
  return (model) => {
    const at = model.indexOf(part)
    return at >= 0 && isSameModel(part, model.slice(at + part.length)) ? part.length : null
  }
}

function longest(lengths: readonly (number | null)[]): number | null {
  let most: number | null = null
  for (const length of lengths) if (length !== null && length > (most ?? -1)) most = length
  return most
}

function createExactMatcher(match: MatchLogic): ModelMatcher {
  const names = new Set(exactNames(match))
  return (model) => (names.has(model) ? model.length : null)
}

/** Only the letters that the pattern requires count; lookaheads are not part of the name. */
function createRegexMatcher(source: string): ModelMatcher {
  const pattern = new RegExp(source)
  const letters = source
    .replace(/\(\?[^)]*\)*/g, '')
    .replace(/\[[^\]]*\]|\\[dDwWsSbB]|\{[\d,]+\}/g, '')
    .replace(/[\^$.*+?()|\\]/g, '')
  return (model) => (pattern.test(model) ? letters.length : null)
}

function isSameModel(prefix: string, tail: string): boolean {
  if (prefix.endsWith('.ft-')) return true
  return (prefix.startsWith('ft:') ? FINE_TUNED_TAIL : SNAPSHOT_TAIL).test(tail)
}

const DATED = /^(.+)-(\d{4}-\d{2}-\d{2})$/

/** A snapshot newer than all known ones costs what its undated name does; older ones do not. */
export function baseOfNewSnapshot(model: string, known: Iterable<string>): string | null {
  const dated = DATED.exec(model)
  if (dated === null) return null
  const [, base = '', date = ''] = dated
  for (const name of known) {
    const other = DATED.exec(name)
    if (other !== null && other[1] === base && (other[2] as string) >= date) return null
  }
  return base
}
