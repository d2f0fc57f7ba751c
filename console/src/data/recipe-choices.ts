// Which tools can be shown for a key and a provider, and the call that they are shown with. The
// recipes themselves are those of docs/recipes.

import type { KeyAnswer, KeyModelsAnswer } from '../../../src/api/contract.ts'
import { ANY_MODEL, findTarget } from '../../../recipes/formats.ts'
import type { Recipe, RecipeKind, WayName } from '../../../recipes/recipe.ts'
import { isWay, WAYS } from '../../../recipes/recipe.ts'
import { RECIPES } from '../../../recipes/recipes.ts'
import { isPlainModel, takesDims, usualModel } from '../../../recipes/render-recipe.ts'

/** Whose call it is. */
export type CallingKey = Pick<
  KeyAnswer,
  | 'id'
  | 'allowed_models'
  | 'allowed_providers'
  | 'use_credentials'
  | 'required_dims'
  | 'default_dims'
  | 'locked_dims'
>

const GROUPS: readonly (readonly [kind: RecipeKind, group: string])[] = [
  ['command line', 'Command line'],
  ['library', 'Libraries'],
  ['application', 'Applications'],
]

/** Those that can call one of these; all where none are given. */
export function listTools(providers: readonly string[] | undefined) {
  const fitting = listFitting(providers)
  return GROUPS.map(([kind, group]) => ({
    group,
    items: fitting
      .filter((recipe) => recipe.kind === kind)
      .map(({ id, title }) => ({ value: id, label: title })),
  })).filter(({ items }) => items.length > 0)
}

/** The chosen one, or another where it can call none of these; null where none can. */
export function findTool(id: string, providers: readonly string[] | undefined): Recipe | null {
  const fitting = listFitting(providers)
  return fitting.find((recipe) => recipe.id === id) ?? fitting[0] ?? null
}

function listFitting(providers: readonly string[] | undefined): readonly Recipe[] {
  if (providers === undefined) return RECIPES
  return RECIPES.filter((recipe) => providers.some((id) => canCall(recipe, id)))
}

function canCall({ format }: Recipe, provider: string): boolean {
  return findTarget(format, provider) !== null
}

/** One with a stored credential, the tool's own, or another that may be called. */
export function chooseProvider(
  recipe: Recipe,
  providers: readonly string[] | undefined,
  stored: readonly string[],
): string {
  const fits = (id: string): boolean =>
    (providers === undefined || providers.includes(id)) && canCall(recipe, id)
  return [...stored, recipe.provider, ...(providers ?? [])].find(fits) ?? recipe.provider
}

export interface ModelChoice {
  readonly provider: string
  readonly key: CallingKey | null
  /** That the key may use, the best first. */
  readonly rows: KeyModelsAnswer['rows']
}

/** Null: the key has allowed models, and none is known at the provider. */
export function chooseModel(recipe: Recipe, { provider, key, rows }: ModelChoice): string | null {
  const usual = usualModel(recipe, provider)
  const known = rows
    .filter((row) => row.provider === provider && row.is_text && isPlainModel(row.model))
    .map(({ model }) => model)
  if (usual !== null && known.includes(usual)) return usual
  const isFree = key === null || key.allowed_models.length === 0
  return isFree && usual !== ANY_MODEL ? usual : (known[0] ?? (isFree ? usual : null))
}

export interface WayRights {
  /** A credential is stored for the provider, and the key may use it. */
  readonly isStored: boolean
  /** What the call has to say; may be empty. */
  readonly dims: string
}

/** The ways in which the tool's call is let through. */
export function listWays(recipe: Recipe, { isStored, dims }: WayRights): readonly WayName[] {
  return WAYS.filter(
    (way) =>
      isWay(recipe[way]) &&
      (way === 'header' || isStored) &&
      (dims === '' || takesDims(recipe, way)),
  )
}
