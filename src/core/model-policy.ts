// Which models a key may use. Patterns are matched without a regular expression, since both sides
// are untrusted. Must stay true: a pattern covers the whole slug, a pattern without a slash the
// whole slug or what follows its last slash, and what no pattern covers is not allowed.

import type { ApiKey } from './api-key.ts'

export interface ModelUse {
  readonly providerId: string
  readonly slug: string
}

export interface ModelPolicy {
  readonly patterns: readonly ModelPattern[]
}

export interface ModelPattern {
  readonly text: string
  readonly providerId: string | null
  /** In lower case, the parts between the stars: one part where there is no star. */
  readonly parts: readonly string[]
  /** It has no slash, so it means the model by that name of every maker. */
  readonly isBare: boolean
  /** `x:y` may also be the model `y` of the provider `x`; null where it cannot. */
  readonly ofProvider: BareModel | null
}

interface BareModel {
  readonly id: string
  readonly parts: readonly string[]
}

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/

/** Virtual models and stored presets: others decide what runs, so a star does not match them. */
const HIDDEN: readonly { readonly mark: string; readonly found: RegExp }[] = [
  { mark: 'vmc/', found: /^(?:[^/]*\/)?vmc\// },
  { mark: '@preset/', found: /@preset\// },
]

// Keys are replaced when they change, never altered, so what was parsed of one stays valid.
const policies = new WeakMap<object, ModelPolicy>()

export function policyOf(key: Pick<ApiKey, 'allowedModels'>): ModelPolicy | null {
  if (key.allowedModels.length === 0) return null
  let policy = policies.get(key)
  if (policy === undefined) {
    policy = createModelPolicy(key.allowedModels)
    policies.set(key, policy)
  }
  return policy
}

export function createModelPolicy(patterns: readonly string[]): ModelPolicy {
  return { patterns: patterns.map(parsePattern) }
}

export function isModelAllowed(policy: ModelPolicy, use: ModelUse): boolean {
  return findPattern(policy, use) !== null
}

/** As it was written; null when none allows it. */
export function findPattern(policy: ModelPolicy, use: ModelUse): string | null {
  const slug = use.slug.toLowerCase()
  const name = slug.slice(slug.lastIndexOf('/') + 1)
  const marks = HIDDEN.filter(({ found }) => found.test(slug)).map(({ mark }) => mark)
  for (const pattern of policy.patterns) {
    if (pattern.providerId !== null && pattern.providerId !== use.providerId) continue
    const { parts, isBare, ofProvider } = pattern
    const isCovered =
      isMatch(parts, slug) ||
      (isBare && isMatch(parts, name)) ||
      (ofProvider?.id === use.providerId && isMatch(ofProvider.parts, name))
    if (isCovered && marks.every((mark) => isSpeltOut(pattern, mark))) return pattern.text
  }
  return null
}

/** True when only a pattern that names it explicitly can allow it. */
export function isHiddenModel(slug: string): boolean {
  const lower = slug.toLowerCase()
  return HIDDEN.some(({ found }) => found.test(lower))
}

function isSpeltOut({ parts }: ModelPattern, mark: string): boolean {
  return parts.some((part) => part.includes(mark))
}

/**
 * Names have colons too (`llama3:8b`), so what is before one is a provider for certain only where a
 * full slug or a star follows; before a bare name it is read both ways.
 */
function parsePattern(text: string): ModelPattern {
  const lower = text.toLowerCase()
  const colon = lower.indexOf(':')
  const id = lower.slice(0, Math.max(colon, 0))
  const rest = lower.slice(colon + 1)
  const hasId = PROVIDER_ID.test(id)
  const hasProvider = hasId && (rest === '*' || rest.includes('/'))
  const isBare = !hasProvider && !lower.includes('/')
  return {
    text,
    providerId: hasProvider ? id : null,
    parts: (hasProvider ? rest : lower).split('*'),
    isBare,
    ofProvider: isBare && hasId ? { id, parts: rest.split('*') } : null,
  }
}

/**
 * Whether `outer` covers all that `inner` allows; no where that is in doubt. `provider` is the only
 * one that is called, if there is only one. A star of `inner` is a sign that only stars match.
 */
export function isPatternWithin(
  inner: string,
  outer: string,
  provider: string | null = null,
): boolean {
  const [one, all] = [parsePattern(inner), parsePattern(outer)]
  if (inner.toLowerCase() === outer.toLowerCase()) return true
  if (all.providerId !== null && all.providerId !== (one.providerId ?? provider)) return false
  const slug = one.parts.join('*')
  // As each maker may name it; `x:y` may be a model of the provider `x`, too.
  const slugs = one.isBare ? [slug, `*/${slug}`, one.ofProvider?.parts.join('*') ?? slug] : [slug]
  return slugs.every((each) => {
    const name = each.slice(each.lastIndexOf('/') + 1)
    const isNamed = all.isBare && (one.isBare || !name.includes('*')) && isMatch(all.parts, name)
    const marks = HIDDEN.filter(({ mark }) => each.includes(mark))
    return (isMatch(all.parts, each) || isNamed) && marks.every(({ mark }) => isSpeltOut(all, mark))
  })
}

/** Whether a model may be meant by both; yes where that is in doubt. */
export function canPatternsMeet(one: string, other: string): boolean {
  const [a, b] = [parsePattern(one), parsePattern(other)]
  if (a.providerId !== null && b.providerId !== null && a.providerId !== b.providerId) return false
  const isByName = a.isBare || b.isBare
  const [left, right] = [toStart(a, isByName), toStart(b, isByName)]
  const [isLeftWhole, isRightWhole] = [a.parts.length === 1, b.parts.length === 1]
  if (isLeftWhole && isRightWhole) return left === right
  return (!isRightWhole && left.startsWith(right)) || (!isLeftWhole && right.startsWith(left))
}

/** Up to the first star: of the slug, or of the name in it. */
function toStart({ parts: [start = ''] }: ModelPattern, isByName: boolean): string {
  return isByName ? start.slice(start.lastIndexOf('/') + 1) : start
}

/** Each part is matched at its first position: if any positions match, these do. */
function isMatch(parts: readonly string[], slug: string): boolean {
  const first = parts[0] as string
  const last = parts.at(-1) as string
  if (parts.length === 1) return slug === first
  if (slug.length < first.length + last.length) return false
  if (!slug.startsWith(first) || !slug.endsWith(last)) return false
  const end = slug.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = slug.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
