// Decides whether a price rule is about a model. The bundle's open rules ("starts with
// gpt-4o-realtime") also catch models that came later at another price; here they hold only when
// what follows the prefix is a snapshot date or the like. A model that is missed is unpriced, which
// is seen and mended; a model that is caught wrongly is a wrong cost that nobody sees.

import type { MatchLogic } from '@pydantic/genai-prices'

/** Longer names are not looked up: no provider has one, and matching cost grows with length. */
export const MODEL_LENGTH_MAX = 200

// `-2025-08-07`, `-20250807`, `-0125`, `-09-2025`, `-preview`, `-latest`, `-v1:0`, `@20250514`. The
// first version may stand without its revision, as Amazon writes it: `-v1`; and a date may be
// followed by one, as OpenAI's completions are answered: `:20230824-v2`.
// One- and two-digit numbers alone are versions (`-5`, `.5`), hence other models.
const SNAPSHOT_TAIL =
  /^(?:[-@:]?(?:\d{4}-\d{2}-\d{2}|\d{8}(?:-v\d(?!:))?|\d{2}-\d{4}|\d{2}-\d{2}|\d{3,4}|preview|latest|exp|v\d+:\d+|v1))*$/

// A fine-tuned name goes on with the base's date, then `:organisation:suffix:id`.
const FINE_TUNED_TAIL = /^[-\d]*(?::.*)?$/

/** The names which a rule spells out whole, in lower case. */
export function exactNames(match: MatchLogic): readonly string[] {
  if ('equals' in match) return [match.equals.toLowerCase()]
  if ('or' in match) return match.or.flatMap(exactNames)
  return []
}

export type ModelMatcher = (model: string) => boolean

/** For everything that exactNames does not cover; null when there is nothing else in the rule. */
export function createMatcher(match: MatchLogic): ModelMatcher | null {
  if ('equals' in match) return null
  if ('or' in match) {
    const some = match.or.map(createMatcher).filter((matcher) => matcher !== null)
    return some.length === 0 ? null : (model) => some.some((matcher) => matcher(model))
  }
  if ('and' in match) {
    const every = match.and.map((part) => createMatcher(part) ?? createExactMatcher(part))
    return (model) => every.every((matcher) => matcher(model))
  }
  if ('regex' in match) {
    const pattern = new RegExp(match.regex)
    return (model) => pattern.test(model)
  }
  if ('ends_with' in match) {
    const end = match.ends_with.toLowerCase()
    return (model) => model.endsWith(end)
  }
  if ('starts_with' in match) {
    const start = match.starts_with.toLowerCase()
    return (model) => model.startsWith(start) && isSameModel(start, model.slice(start.length))
  }
  const part = match.contains.toLowerCase()
  return (model) => {
    const at = model.indexOf(part)
    return at >= 0 && isSameModel(part, model.slice(at + part.length))
  }
}

function createExactMatcher(match: MatchLogic): ModelMatcher {
  const names = new Set(exactNames(match))
  return (model) => names.has(model)
}

function isSameModel(prefix: string, tail: string): boolean {
  if (prefix.endsWith('.ft-')) return true
  return (prefix.startsWith('ft:') ? FINE_TUNED_TAIL : SNAPSHOT_TAIL).test(tail)
}

const DATED = /^(.+)-(\d{4}-\d{2}-\d{2})$/

/**
 * The undated name of a snapshot newer than all that are known of its model: it is charged like the
 * name it is served under until the table says otherwise. An older date is somebody's mistake.
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
