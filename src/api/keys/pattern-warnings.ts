// What an administrator should know of a key's patterns before callers do: some match no model that
// is known here, and some name one of a model's names while callers may use another. A warning and
// never a refusal: tomorrow's models are not known today.

import { isModelAllowed } from '../../core/model-policy.ts'
import type { ModelPattern, ModelPolicy } from '../../core/model-policy.ts'
import { nearestWord } from '../../core/nearest-word.ts'
import type { KnownModel } from './known-models.ts'

export interface PatternFacts {
  readonly models: readonly KnownModel[]
  /** Providers of whose models no list says which there are. */
  readonly unlisted: readonly string[]
  /** What the price list calls a model, whichever of its names is given; null: it has no price. */
  readonly findListedName: (of: { provider: string; model: string }) => Promise<string | null>
}

const NAMES_SHOWN_MAX = 3
/** A word like the given one is sought among thousands of names. */
const WARNINGS_MAX = 10

export async function listPatternWarnings(
  policy: ModelPolicy,
  facts: PatternFacts,
): Promise<readonly string[]> {
  const warnings: string[] = []
  for (const pattern of policy.patterns) {
    if (warnings.length === WARNINGS_MAX) break
    const own = { patterns: [pattern] }
    const matched = facts.models.filter((each) => isMatched(own, each))
    if (matched.length === 0) {
      if (!isBeyondLists(pattern, facts)) warnings.push(toUnknown(pattern.text, facts.models))
      continue
    }
    if (pattern.parts.length > 1) continue
    const names = await findOtherNames(matched, { ...facts, policy })
    if (names.length > 0) warnings.push(toOtherNames(pattern.text, names))
  }
  return warnings
}

function isMatched(policy: ModelPolicy, { provider, slug }: KnownModel): boolean {
  return isModelAllowed(policy, { providerId: provider, slug })
}

/** It names a provider without a list of models, or begins like versions of a known model. */
function isBeyondLists({ parts, providerId, ofProvider }: ModelPattern, facts: PatternFacts) {
  const { unlisted, models } = facts
  const [head = '', ...others] = parts
  const ids = [providerId, ofProvider?.id, head.includes('/') ? head.split('/')[0] : null]
  if (ids.some((id) => id != null && unlisted.includes(id))) return true
  const isVersion = ({ slug, model }: KnownModel): boolean =>
    [slug, model].some((name) => /^[-@:]/.test(head.slice(name.length)) && head.startsWith(name))
  return others.length > 0 && models.some(isVersion)
}

function toUnknown(text: string, models: readonly KnownModel[]): string {
  const bare = !text.includes('/')
  const known = models.map(({ slug }) => (bare ? slug.slice(slug.lastIndexOf('/') + 1) : slug))
  const nearest = nearestWord(text, [...new Set(known)])
  const hint = nearest === null ? 'Check how it is written.' : `Did you mean ${nearest}?`
  return `${text} matches no model that was used lately or has a price, at the providers that the key may use. ${hint}`
}

/** Names of the same models, as the price list has it, that no pattern of the key allows. */
async function findOtherNames(
  matched: readonly KnownModel[],
  { models, policy, findListedName }: PatternFacts & { readonly policy: ModelPolicy },
): Promise<readonly string[]> {
  const names = new Set<string>()
  for (const one of matched) {
    const isLike = ({ provider, model }: KnownModel): boolean =>
      provider === one.provider && (model.startsWith(one.model) || one.model.startsWith(model))
    for (const other of models.filter((each) => isLike(each) && !isMatched(policy, each))) {
      const listed = await findListedName(one)
      if (listed !== null && listed === (await findListedName(other))) names.add(other.model)
    }
  }
  return [...names].slice(0, NAMES_SHOWN_MAX)
}

function toOtherNames(text: string, names: readonly string[]): string {
  const [is, them] = names.length === 1 ? ['is another name', 'it'] : ['are other names', 'them']
  return `${text} does not allow ${names.join(', ')}, which ${is} of the same model: a call that asks for ${them} is refused. Add ${them} if callers use ${them}.`
}
