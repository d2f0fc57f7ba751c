// Runs the recipes with the real tools and writes their pages: `npm run recipes [-- ID…]`. With
// `--write` it only writes the pages of docs/recipes; its test fails when they are stale.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isWay, WAYS } from '../recipes/recipe.ts'
import type { Recipe, WayName } from '../recipes/recipe.ts'
import { RECIPES } from '../recipes/recipes.ts'
import { installTool } from './recipes/install-tool.ts'
import { renderPages } from './recipes/recipe-pages.ts'
import {
  PAGES_FOLDER,
  readResults,
  toToolName,
  WAY_NAMES,
  writeResults,
} from './recipes/results.ts'
import type { Result } from './recipes/results.ts'
import { openRecipeScene } from './recipes/recipe-scene.ts'
import type { RecipeScene } from './recipes/recipe-scene.ts'
import { tryRecipe } from './recipes/try-recipe.ts'

function writePages(): void {
  mkdirSync(PAGES_FOLDER, { recursive: true })
  for (const [name, text] of renderPages(readResults())) {
    writeFileSync(path.join(PAGES_FOLDER, name), text)
  }
}

async function runAll(recipes: readonly Recipe[]): Promise<boolean> {
  const scene = await openRecipeScene(recipes)
  let isGood = true
  try {
    for (const recipe of recipes) {
      const result = await runOne(scene, recipe)
      if (result === null) continue
      if (Object.values(result.calls).includes(null)) isGood = false
      writeResults({ ...readResults(), [recipe.id]: result })
    }
  } finally {
    await scene.close()
  }
  return isGood
}

/** Null where it was not run. */
async function runOne(scene: RecipeScene, recipe: Recipe): Promise<Result | null> {
  const installed = await installTool(recipe)
  if (installed.kind !== 'ready') {
    const why =
      installed.kind === 'missing' ? `needs ${installed.needs}` : `not installed: ${installed.why}`
    console.log(`${recipe.title}: not run: ${why}`)
    return null
  }
  const calls: Partial<Record<WayName, number | null>> = {}
  for (const way of WAYS) {
    if (!isWay(recipe[way])) continue
    const outcome = await tryRecipe(scene, { recipe, way, tool: installed.tool })
    calls[way] = outcome.kind === 'passed' ? outcome.calls : null
    const text = outcome.kind === 'passed' ? `works, ${outcome.calls} recorded` : outcome.why
    console.log(`${recipe.title} (${toToolName(recipe)}), ${WAY_NAMES[way]}: ${text}`)
  }
  return { tool: toToolName(recipe), date: new Date().toISOString().slice(0, 10), calls }
}

function findRecipes(ids: readonly string[]): readonly Recipe[] {
  const runnable = RECIPES.filter(({ kind }) => kind !== 'application')
  const unknown = ids.find((id) => !runnable.some((recipe) => recipe.id === id))
  if (unknown !== undefined) {
    const known = runnable.map(({ id }) => id).join(', ')
    throw new Error(`There is no recipe ${unknown} to run. There are: ${known}.`)
  }
  return ids.length === 0 ? runnable : runnable.filter(({ id }) => ids.includes(id))
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const isGood = words.includes('--write') || (await runAll(findRecipes(words)))
  writePages()
  process.exitCode = isGood ? 0 : 1
}
