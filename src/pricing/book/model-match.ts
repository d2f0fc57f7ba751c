// Decides whether a price rule applies to a model. The bundle's open rules ("starts with
// gpt-4o-realtime") also match models that came later at another price; here they match only when
// what follows the prefix is a snapshot date or the like. A model that is missed is unpriced, which
// is seen and fixed; a model that is matched by mistake gets a wrong cost that no one sees.

import type { MatchLogic } from '@pydantic/genai-prices'

/** Longer names are not looked up: no provider has one, and matching cost grows with length. */
export const MODEL_LENGTH_MAX = 200

// `-2025-08-07`, `-20250807`, `-0125`, `-09-2025`, `-preview`, `-latest`, `-v1:0`, `@20250514`. The
// first version may stand without its revision, as Amazon writes it: `-v1`; and a revision may
// stand alone, as in `-120b-1:0`; and a date may be followed by one, as OpenAI's completions are
// answered: `:20230824-v2`. One- and two-digit numbers alone are versions (`-5`, `.5`), hence other
// models. Names are callers' input: without the bound, a hundred digits would be tried in every
// division.
const SNAPSHOT_TAIL =
  /^(?:[-@:]?(?:\d{4}-\d{2}-\d{2}|\d{8}(?:-v\d(?!:))?|\d{2}-\d{4}|\d{2}-\d{2}|\d{3,4}|preview|latest|exp|v\d{1,3}:\d{1,3}|v1)){0,4}(?::\d{1,2})?$/

// A fine-tuned name goes on with the base's date, then `:organisation:suffix:id`.
const FINE_TUNED_TAIL = /^[-\d]*(?::.*)?$/

/** The names which a rule spells out whole, in lower case. */
export function exactNames(match: MatchLogic): readonly string[] {
  if ('equals' in match) return [match.equals.toLowerCase()]
  if ('or' in match) return match.or.flatMap(exactNames)
  return []
}

/** The texts that a rule is made of, in lower case. */
export function literalsOf(match: MatchLogic): readonly string[] {
  if ('or' in match) return match.or.flatMap(literalsOf)
  if ('and' in match) return match.and.flatMap(literalsOf)
  return 'regex' in match ? [] : Object.values(match).map((text) => text.toLowerCase())
}

/** How many characters of the rule the model matches; null where it does not match. */
export type ModelMatcher = (model: string) => number | null

/** For everything that exactNames does not cover; null when there is nothing else in the rule. */
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

/**
 * The undated name of a snapshot that is newer than all known ones of its model: it is charged like
 * the undated name until the table says otherwise. An older date is a mistake of the caller.
 */
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
