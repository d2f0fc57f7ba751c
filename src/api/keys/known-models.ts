// The models that are known here: used lately, or with a price.

import { readModelUse } from '../analysis/model-use.ts'
import type { ApiServices } from '../api-options.ts'

export interface KnownModel {
  readonly provider: string
  /** As a call to the provider names it. */
  readonly model: string
  /** The name by which a policy knows it. */
  readonly slug: string
  /** That the provider answered lately. */
  readonly calls: number
  /** It takes text and gives text, as far as its price says; true without one. */
  readonly isText: boolean
}

export type ModelSources = Pick<ApiServices, 'questions' | 'prices' | 'slugOf' | 'clock' | 'info'>

interface Known {
  /** False while the store of usage does not answer. */
  readonly isUsageKnown: boolean
  /** The most used first, then by provider and name. */
  readonly known: readonly KnownModel[]
  /** Providers of whose models no list says which there are. */
  readonly unlisted: readonly string[]
}

export async function readKnownModels(sources: ModelSources): Promise<Known> {
  const { prices, slugOf, info } = sources
  // On first use: the registry loads a hundred files.
  const { findProvider } = await import('../../providers/registry.ts')
  const hasOwnLabels = (id: string): boolean => findProvider(id)?.hasOwnLabels === true
  const priced = await (await prices()).listModels()
  const toName = (provider: string, model: string): string =>
    JSON.stringify([provider, model.toLowerCase()])
  const texts = new Map(
    priced.map(({ provider, model, rates }) => {
      const units = new Set(rates.map(({ unit }) => unit))
      return [toName(provider, model), units.has('input') && units.has('output')]
    }),
  )
  // A key is made, and its secret shown this once, while usage is kept elsewhere and is away.
  const uses = await readModelUse(sources, 'requests').catch(() => null)
  const used = uses
    ?.map(({ provider, model, requests, errors }) => ({
      provider,
      model,
      calls: requests - errors,
    }))
    // Those that the provider never answered are names that somebody mistyped.
    .filter(({ calls }) => calls > 0)
  const all = [
    ...(used ?? []),
    ...priced.map(({ provider, model }) => ({ provider, model, calls: 0 })),
  ]
  const byName = new Map<string, KnownModel>()
  for (const { provider, model, calls } of all) {
    const name = toName(provider, model)
    // A deployment's name is what a call asks for; what answered is not.
    if (byName.has(name) || hasOwnLabels(provider)) continue
    if (calls === 0 && !info.providers.includes(provider)) continue
    const isText = texts.get(name) ?? true
    byName.set(name, { provider, model, slug: slugOf(provider, model), calls, isText })
  }
  const listed = new Set(priced.map(({ provider }) => provider))
  const unlisted = info.providers.filter((id) => !listed.has(id) || hasOwnLabels(id))
  return { isUsageKnown: uses !== null, known: [...byName.values()], unlisted }
}
