// Which models a key may use. Patterns are matched without a regular expression, since both sides
// are untrusted. Must stay true: a pattern covers the whole slug or nothing, and what no pattern
// covers is not allowed.

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
  const marks = HIDDEN.filter(({ found }) => found.test(slug)).map(({ mark }) => mark)
  for (const pattern of policy.patterns) {
    if (pattern.providerId !== null && pattern.providerId !== use.providerId) continue
    if (isMatch(pattern.parts, slug) && marks.every((mark) => isSpeltOut(pattern, mark))) {
      return pattern.text
    }
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

/** Slugs have colons too (`ollama/llama3:8b`): a provider is an id before a full slug or a star. */
function parsePattern(text: string): ModelPattern {
  const lower = text.toLowerCase()
  const colon = lower.indexOf(':')
  const id = lower.slice(0, Math.max(colon, 0))
  const rest = lower.slice(colon + 1)
  const hasProvider = PROVIDER_ID.test(id) && (rest === '*' || rest.includes('/'))
  return {
    text,
    providerId: hasProvider ? id : null,
    parts: (hasProvider ? rest : lower).split('*'),
  }
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
