import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createProvider, findProvider } from '../providers/registry.ts'
import { findHeadEnd, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import { isPaidByPlan } from './paid-by-plan.ts'

const CLAUDE = 'Authorization: Bearer sk-ant-oat01-abc'
const CHATGPT = 'Authorization: Bearer eyJhbGciOi'
const ACCOUNT = 'ChatGPT-Account-ID: 11-22'

const CALLS: readonly (readonly [
  name: string,
  provider: string,
  headers: readonly string[],
  isPlan: boolean,
])[] = [
  ["Claude's sign-in", 'anthropic', [CLAUDE], true],
  ["Claude's key", 'anthropic', ['x-api-key: sk-ant-api03-abc'], false],
  [
    "Claude's key, with a token beside it",
    'anthropic',
    [CLAUDE, 'x-api-key: sk-ant-api03-a'],
    false,
  ],
  ['that token at another provider', 'openai', [CLAUDE], false],
  ['Codex signed in with ChatGPT', 'openai', [CHATGPT, ACCOUNT], true],
  [
    'an API key with the header of an account',
    'openai',
    ['Authorization: Bearer sk-a', ACCOUNT],
    false,
  ],
  ['the token without an account', 'openai', [CHATGPT], false],
  ['the header at a provider whose keys are any text', 'mistral', [CHATGPT, ACCOUNT], false],
  ['no credential', 'openai', [ACCOUNT], false],
]

function toLines(headers: readonly string[]) {
  const bytes = Buffer.from(['POST / HTTP/1.1', 'Host: a', ...headers, '', ''].join('\r\n'))
  const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 100)
  assert.ok(!isFault(head))
  return head.lines
}

for (const [name, id, headers, isPlan] of CALLS) {
  test(`${name}: ${isPlan ? 'a plan' : 'no plan'} pays`, () => {
    assert.equal(isPaidByPlan(toLines(headers), findProvider(id)?.plan), isPlan)
  })
}

test("of an operator's own provider like OpenAI, only ChatGPT's address is a plan's", () => {
  const planAt = (upstream: string) => createProvider({ id: 'own', shape: 'openai', upstream }).plan
  assert.equal(planAt('https://models.example.com/v1'), undefined)
  assert.ok(planAt('https://chatgpt.com/backend-api/codex'))
})
