// One rule for what can be stored, wherever it is typed: the API, the command line and the forms of
// the console take and refuse the same values.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { BUDGET_FORM, NEW_BUDGET } from '../../console/src/pages/budgets/budget-draft.ts'
import { KEY_FORM } from '../../console/src/pages/keys/key-draft.ts'
import { createCommandLine } from '../fakes/command-line.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')
let api: OpenApi
let authorization: string

before(async () => {
  api = await openApi(NOW)
  authorization = await api.authorize('admin')
})
after(() => api.close())

async function isTaken(path: string, body: object): Promise<boolean> {
  const options = { method: 'POST', headers: { authorization }, body: JSON.stringify(body) }
  const { status } = await fetch(api.url + path, options)
  assert.ok(status === 201 || status === 400, `${status}`)
  return status === 201
}

interface Rule {
  readonly called: string
  readonly values: readonly (readonly [text: string, isRight: boolean])[]
  readonly ask: (text: string) => Promise<boolean>
  readonly words: (text: string) => readonly string[]
  readonly hasFault: (text: string) => boolean
}

const LIMITS = [
  ['0', false],
  ['-5', false],
  ['1.5', false],
  ['1', true],
  ['1000000', true],
  ['1000001', false],
] as const

const budgetOf = (limit: string, at = '100') => ({
  api: {
    name: 'x',
    period: 'day',
    scope: 'global',
    limit_usd: limit,
    thresholds: at.split(',').map(Number),
  },
  words: 'budgets create --name x --period day --scope global'
    .split(' ')
    .concat(`--limit-usd=${limit}`, `--at=${at}`),
  draft: { ...NEW_BUDGET, name: 'x', limit_usd: limit, thresholds: at.split(',') },
})

const RULES: readonly Rule[] = [
  {
    called: 'calls per minute',
    values: LIMITS,
    ask: (text) => isTaken('/v1/keys', { name: 'x', rate_limit_rpm: Number(text) }),
    words: (text) => ['keys', 'create', '--name', 'x', `--rpm=${text}`],
    hasFault: (text) =>
      'rate_limit_rpm' in KEY_FORM.findFaults({ ...KEY_FORM.empty, rate_limit_rpm: text }),
  },
  {
    called: 'parallel calls',
    values: LIMITS,
    ask: (text) => isTaken('/v1/keys', { name: 'x', max_parallel: Number(text) }),
    words: (text) => ['keys', 'create', '--name', 'x', `--max-parallel=${text}`],
    hasFault: (text) =>
      'max_parallel' in KEY_FORM.findFaults({ ...KEY_FORM.empty, max_parallel: text }),
  },
  {
    called: 'the name of a key',
    values: [
      ['', false],
      ['x'.repeat(100), true],
      ['x'.repeat(101), false],
      ['two\nlines', false],
    ],
    ask: (text) => isTaken('/v1/keys', { name: text }),
    words: (text) => ['keys', 'create', `--name=${text}`],
    hasFault: (text) => 'name' in KEY_FORM.findFaults({ ...KEY_FORM.empty, name: text }),
  },
  {
    called: 'the limit of a budget',
    values: [
      ['-5', false],
      ['1,5', false],
      ['half', false],
      ['0.5', true],
      ['1000000000', true],
    ],
    ask: (text) => isTaken('/v1/budgets', budgetOf(text).api),
    words: (text) => budgetOf(text).words,
    hasFault: (text) => 'limit_usd' in BUDGET_FORM.findFaults(budgetOf(text).draft),
  },
  {
    called: 'the thresholds of a budget',
    values: [
      ['0', false],
      ['-5', false],
      ['80.5', false],
      ['1', true],
      ['100', true],
    ],
    ask: (text) => isTaken('/v1/budgets', budgetOf('1', text).api),
    words: (text) => budgetOf('1', text).words,
    hasFault: (text) => 'thresholds' in BUDGET_FORM.findFaults(budgetOf('1', text).draft),
  },
]

for (const { called, values, ask, words, hasFault } of RULES) {
  test(`${called}: one rule for the API, the command line and the console`, async (context) => {
    const { weir } = createCommandLine(context)
    for (const [text, isRight] of values) {
      const { code } = await weir(...words(text))
      assert.deepEqual(
        { api: await ask(text), cli: code === 0, console: !hasFault(text) },
        { api: isRight, cli: isRight, console: isRight },
        JSON.stringify(text),
      )
    }
  })
}
