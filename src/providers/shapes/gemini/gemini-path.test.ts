import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createModelRoute, toModelName } from './gemini-path.ts'

const route = createModelRoute({ pattern: /^\/v1\/models\/([^/]+)$/ })

const PATHS: readonly (readonly [path: string, model: string | null, method: string])[] = [
  ['/v1/models/gemini-x:generateContent', 'gemini-x', 'generateContent'],
  ['/v1/models/gemini-x%3AgenerateContent', 'gemini-x', 'generateContent'],
  ['/v1/models/gemini%2Dx:predict', 'gemini-x', 'predict'],
  ['/v1/models/claude@20260901:rawPredict', 'claude@20260901', 'rawPredict'],
  ['/v1/models/models%2Fgemini-x:predict', 'gemini-x', 'predict'],
  // What is no plain name is hidden from a policy, and so refused.
  ['/v1/models/a%2Fb:predict', null, 'predict'],
  ['/v1/models/gemini-x%252F:predict', null, 'predict'],
  ['/v1/models/gemini-x%20:predict', null, 'predict'],
  ['/v1/models/gemini-x%00:predict', null, 'predict'],
  ['/v1/models/a:b:predict', null, 'predict'],
]

for (const [path, model, method] of PATHS) {
  test(`reads ${path}`, () => assert.deepEqual(route(path), { model, method }))
}

const STRANGE = [
  '/v1/models/gemini-x',
  '/v1/models/:predict',
  '/v1/models/gemini-x:predict/',
  '/v1/models//gemini-x:predict',
  '/v2/models/gemini-x:predict',
  '/v1/models/%ff:predict',
]

for (const path of STRANGE) {
  test(`finds no call in ${path}`, () => assert.equal(route(path), null))
}

test('hides the model of a route whose ids say nothing', () => {
  const hidden = createModelRoute({ pattern: /^\/endpoints\/([^/]+)$/, isHidden: true })
  assert.deepEqual(hidden('/endpoints/12:predict'), { model: null, method: 'predict' })
})

const NAMES: readonly (readonly [name: string, plain: string])[] = [
  ['gemini-x', 'gemini-x'],
  ['models/gemini-x', 'gemini-x'],
  ['publishers/google/models/gemini-x', 'gemini-x'],
  ['projects/p/locations/l/publishers/google/models/gemini-x', 'gemini-x'],
  ['models/models/gemini-x', 'models/gemini-x'],
  ['tunedModels/x', 'tunedModels/x'],
  ['projects/p/locations/l/endpoints/12', 'projects/p/locations/l/endpoints/12'],
]

for (const [name, plain] of NAMES) {
  test(`calls ${name} ${plain}`, () => assert.equal(toModelName(name), plain))
}
