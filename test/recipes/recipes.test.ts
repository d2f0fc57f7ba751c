// The recipes of the libraries that are installed with this checkout, run as they stand on their
// pages, through the real program. The others are run by `npm run recipes`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isWay, WAYS } from '../../recipes/recipe.ts'
import { RECIPES } from '../../recipes/recipes.ts'
import { hasOwn, installTool } from '../../scripts/recipes/install-tool.ts'
import { openRecipeScene } from '../../scripts/recipes/recipe-scene.ts'
import { tryRecipe } from '../../scripts/recipes/try-recipe.ts'

const recipes = RECIPES.filter((recipe) => recipe.packages.length > 0 && hasOwn(recipe))

test('the recipes of installed libraries work as they are pasted', async (t) => {
  const scene = await openRecipeScene(recipes)
  t.after(() => scene.close())
  for (const recipe of recipes) {
    for (const way of WAYS.filter((name) => isWay(recipe[name]))) {
      await t.test(
        `${recipe.title}, ${way}: one call, with tokens, cost and dimensions`,
        async () => {
          const installed = await installTool(recipe)
          assert.ok(installed.kind === 'ready')
          const outcome = await tryRecipe(scene, { recipe, way, tool: installed.tool })
          assert.deepEqual(outcome, { kind: 'passed', calls: 1 })
        },
      )
    }
  }
})

test('a library of package.json has the version of its recipe', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { devDependencies: Record<string, string> }
  for (const { name, version, from } of RECIPES.flatMap(({ packages }) => packages)) {
    const own = from === 'npm' ? manifest.devDependencies[name] : undefined
    if (own !== undefined) assert.equal(own, version, name)
  }
  assert.ok(recipes.length >= 6)
})
