// Which tools can be shown for a provider. The recipes themselves are those of docs/recipes.

import { findTarget } from '../../../recipes/formats.ts'
import type { Recipe, RecipeKind, WayName } from '../../../recipes/recipe.ts'
import { isWay, WAYS } from '../../../recipes/recipe.ts'
import { RECIPES } from '../../../recipes/recipes.ts'

const GROUPS: readonly (readonly [kind: RecipeKind, group: string])[] = [
  ['command line', 'Command line'],
  ['library', 'Libraries'],
  ['application', 'Applications'],
]

/** Those that can call it; all where none is given. */
export function listTools(provider: string | undefined) {
  const fitting = listFitting(provider)
  return GROUPS.map(([kind, group]) => ({
    group,
    items: fitting
      .filter((recipe) => recipe.kind === kind)
      .map(({ id, title }) => ({ value: id, label: title })),
  })).filter(({ items }) => items.length > 0)
}

/** The chosen one, or another where it cannot call the provider; null where none can. */
export function findTool(id: string, provider: string | undefined): Recipe | null {
  const fitting = listFitting(provider)
  return fitting.find((recipe) => recipe.id === id) ?? fitting[0] ?? null
}

function listFitting(provider: string | undefined): readonly Recipe[] {
  if (provider === undefined) return RECIPES
  return RECIPES.filter(({ format }) => findTarget(format, provider) !== null)
}

/** The ways in which a tool can call through Weir; there is at least one. */
export function listWays(recipe: Recipe): readonly WayName[] {
  return WAYS.filter((way) => isWay(recipe[way]))
}
