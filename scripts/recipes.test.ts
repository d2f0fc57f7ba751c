// The recipes as data: their pages, and what a shell makes of them. That they work with the real
// tools is for `npm run recipes`, and for test/recipes with what is installed here.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findTarget } from '../recipes/formats.ts'
import type { Format } from '../recipes/formats.ts'
import { isWay, WAYS } from '../recipes/recipe.ts'
import type { Recipe, WayName } from '../recipes/recipe.ts'
import { RECIPES } from '../recipes/recipes.ts'
import { renderDims, renderRecipe, takesDims } from '../recipes/render-recipe.ts'
import type { Place } from '../recipes/render-recipe.ts'
import { PROVIDERS } from '../src/providers/registry.ts'
import { renderPages } from './recipes/recipe-pages.ts'
import { describeResult, PAGES_FOLDER, readResults } from './recipes/results.ts'

const KEY = 'svc_k_abc.secret-1'
const LOCAL: Place = { proxyUrl: 'http://127.0.0.1:7070', key: KEY }
const TEAM: Place = { ...LOCAL, dims: 'team=your-team' }

test('docs/recipes is not stale (mend it: node scripts/recipes.ts --write)', () => {
  const pages = renderPages(readResults())
  for (const [name, text] of pages) {
    assert.equal(readFileSync(path.join(PAGES_FOLDER, name), 'utf8'), text, name)
  }
  const files = readdirSync(PAGES_FOLDER).filter((name) => name.endsWith('.md'))
  assert.deepEqual(files.toSorted(), [...pages.keys()].toSorted())
})

test('no placeholder is left in what people paste, and no dimension that nobody asked for', () => {
  for (const recipe of RECIPES) {
    for (const way of WAYS.filter((name) => isWay(recipe[name]))) {
      for (const place of [LOCAL, TEAM]) {
        const text = JSON.stringify(renderRecipe(recipe, way, place))
        assert.doesNotMatch(text, /%[A-Z]+%|%[[\]]/, `${recipe.id} ${way}`)
        assert.ok(text.includes(KEY), `${recipe.id} ${way}`)
        assert.ok(text.includes('http://127.0.0.1:7070/v1/'), `${recipe.id} ${way}`)
        assert.doesNotMatch(text, /team=search/, recipe.id)
        const hasDims = place === TEAM && takesDims(recipe, way)
        assert.equal(/team=your-team/.test(text), hasDims, `${recipe.id} ${way}`)
        assert.equal(/X-SVC-Dims|WEIR_DIMS/.test(text), hasDims, `${recipe.id} ${way}`)
      }
    }
  }
})

test('a stored credential is spoken of only where there is one', () => {
  for (const recipe of RECIPES) {
    assert.equal(renderDims(recipe, true), recipe.dims)
    const text = renderDims(recipe, false)
    assert.match(text, /^[A-Z`].*\.$/s, recipe.id)
    assert.doesNotMatch(text, /stored|sent alone|person or project/, recipe.id)
  }
})

test('the model that is asked for is in the call, unless it could be read as code', () => {
  const toText = (model: string) =>
    JSON.stringify(renderRecipe(findRecipe('curl'), 'header', { ...LOCAL, model }))
  assert.match(toText('gpt-5.4-mini'), /gpt-5\.4-mini/)
  assert.match(toText(`x'$(id)`), /gpt-4o-mini/)
})

test('an id is used once, and a tool that is run names its version', () => {
  assert.equal(new Set(RECIPES.map(({ id }) => id)).size, RECIPES.length)
  for (const { id, packages } of RECIPES) {
    for (const { version } of packages) assert.match(version, /^v?\d+\.\d+\.\d+$/, id)
  }
})

test('where chat goes, and in which variable its key is, is what the provider declares', () => {
  for (const { id, sample } of PROVIDERS) {
    const target = findTarget('openai', id)
    if (target === null || !sample?.path.endsWith('/chat/completions')) continue
    assert.equal(`${target.path}/chat/completions`, sample.path, id)
    assert.equal(target.model, sample.model, id)
  }
})

test('a provider without a format has no address in it', () => {
  const cases: readonly (readonly [format: Format, provider: string])[] = [
    ['openai', 'azure'],
    ['responses', 'mistral'],
    ['anthropic', 'openai'],
    ['gateway', 'openai'],
  ]
  for (const [format, provider] of cases) assert.equal(findTarget(format, provider), null)
})

function findRecipe(id: string): Recipe {
  return RECIPES.find((recipe) => recipe.id === id) ?? assert.fail(id)
}

/** What a command would be given: a function in its place shows the arguments. */
function readWords(way: WayName, place: Place, environment = {}): string[] {
  const rendered = renderRecipe(findRecipe('curl'), way, place) ?? assert.fail()
  const stand = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }`
  const script = `${stand}\n${rendered.variables}\n${rendered.text}`
  const env = { PATH: '/bin:/usr/bin', ...environment }
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

test('curl is given the address, the key and a body that a provider understands', () => {
  const [url, ...rest] = readWords('header', TEAM, { OPENAI_API_KEY: 'own' })
  assert.equal(url, 'http://127.0.0.1:7070/v1/openai/v1/chat/completions')
  const headers = rest.filter((word) => word.includes(': '))
  assert.deepEqual(headers, [
    `X-SVC-API-Key: ${KEY}`,
    'X-SVC-Dims: team=your-team',
    'Authorization: Bearer own',
    'Content-Type: application/json',
  ])
  assert.deepEqual(JSON.parse(rest.at(-1) ?? ''), {
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  assert.ok(readWords('stored', LOCAL).includes(`Authorization: Bearer ${KEY}`))
})

test("another provider's key is put where the tool looks for one", () => {
  const place = { ...LOCAL, provider: 'my-llm' }
  const words = readWords('header', place, { MY_LLM_API_KEY: 'own-llm' })
  assert.equal(words[0], 'http://127.0.0.1:7070/v1/my-llm/v1/chat/completions')
  assert.ok(words.includes('Authorization: Bearer own-llm'))
})

test('an address with quotes stays an address in a shell and in code', () => {
  const place = { ...LOCAL, proxyUrl: `http://127.0.0.1:7070/it's$(id)` }
  assert.equal(
    readWords('stored', place)[0],
    'http://127.0.0.1:7070/it%27s%24%28id%29/v1/openai/v1/chat/completions',
  )
})

test('Claude Code gets both headers, a line each', () => {
  const rendered = renderRecipe(findRecipe('claude-code'), 'header', TEAM) ?? assert.fail()
  const script = `${rendered.variables}\nprintf %s "$ANTHROPIC_BASE_URL|$ANTHROPIC_CUSTOM_HEADERS"`
  const out = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
  const headers = `X-SVC-API-Key: ${KEY}\nX-SVC-Dims: team=your-team`
  assert.equal(out, `http://127.0.0.1:7070/v1/anthropic|${headers}`)
})

test('a result counts for the version that was run, and a failure is called one', () => {
  const recipe = findRecipe('openai-js')
  const tool = `openai ${recipe.packages[0]?.version}`
  const date = '2026-01-31'
  const cases = [
    [{ tool, date, calls: { header: 1, stored: 1 } }, 'header: works; stored credential: works'],
    [
      { tool, date, calls: { header: 1, stored: null } },
      'header: works; stored credential: failed',
    ],
    [{ tool: 'openai 1.0.0', date, calls: { header: 1 } }, 'not run yet'],
    [undefined, 'not run yet'],
  ] as const
  for (const [result, text] of cases) assert.equal(describeResult(recipe, result), text)
  assert.equal(describeResult(findRecipe('cursor'), undefined), 'not run by us')
})
