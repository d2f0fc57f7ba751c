// Which models a key may use, of those that are known here: for suggestions, for a call to try it,
// and for warnings about patterns that match none.

import type { ApiKey } from '../../core/api-key.ts'
import { isModelAllowed, policyOf } from '../../core/model-policy.ts'
import type { ModelPattern } from '../../core/model-policy.ts'
import { readKnownModels } from './known-models.ts'
import type { KnownModel, ModelSources } from './known-models.ts'
import { listPatternWarnings } from './pattern-warnings.ts'

export type ModelRights = Pick<ApiKey, 'allowedModels' | 'allowedProviders'>

export interface KeyModels {
  /** What its patterns name, then the most used, then what has a price. */
  readonly models: readonly KnownModel[]
  readonly warnings: readonly string[]
}

export async function readKeyModels(
  rights: ModelRights,
  sources: ModelSources,
): Promise<KeyModels> {
  const { known, unlisted, isUsageKnown } = await readKnownModels(sources)
  const isUsable = (provider: string): boolean =>
    rights.allowedProviders.length === 0 || rights.allowedProviders.includes(provider)
  const models = known.filter(({ provider }) => isUsable(provider))
  const policy = policyOf(rights)
  if (policy === null) return { models, warnings: [] }
  const { findListedName } = await sources.prices()
  const named: KnownModel[] = []
  const priced: KnownModel[] = []
  for (const provider of sources.info.providers.filter(isUsable)) {
    for (const pattern of policy.patterns) {
      const model = nameAt(pattern, provider, sources.slugOf(provider, ''))
      if (model === null) continue
      const slug = sources.slugOf(provider, model)
      if (models.some((each) => each.provider === provider && each.slug === slug)) continue
      const one = { provider, model, slug, calls: 0, isText: true }
      // What runs on the operator's own machines is free, whatever its name.
      const isPriced = !unlisted.includes(provider) && (await findListedName(one)) !== null
      if (isPriced) priced.push(one)
      // A bare name is at every provider, and says what to call only where it is known.
      if (isPriced || !pattern.isBare) named.push(one)
    }
  }
  const allowed = [...named, ...models].filter(({ provider, slug }) =>
    isModelAllowed(policy, { providerId: provider, slug }),
  )
  const facts = { models: [...models, ...priced], unlisted, findListedName }
  return {
    models: allowed,
    warnings: isUsageKnown ? await listPatternWarnings(policy, facts) : [],
  }
}

/** What a pattern without a star names at a provider, whose slugs begin with `prefix`. */
function nameAt(
  { parts, providerId, isBare, ofProvider }: ModelPattern,
  provider: string,
  prefix: string,
): string | null {
  if (parts.length > 1 || (providerId !== null && providerId !== provider)) return null
  const [slug = ''] = parts
  if (isBare) return ofProvider?.id === provider ? (ofProvider.parts[0] ?? null) : slug
  return slug.startsWith(prefix) && slug !== prefix ? slug.slice(prefix.length) : null
}
