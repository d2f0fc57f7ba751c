import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GENERATIONS_MAX, GatewayGenerations } from './gateway-generations.ts'

const CENT = 10n ** 10n

test('adds the costs of generations, each with its last figure', () => {
  const generations = new GatewayGenerations()
  generations.find('gen_a').readMetadata({ cost: '0.01' })
  generations.find('gen_a').readMetadata({ cost: '0.02' })
  generations.find('gen_b').readMetadata({ cost: 0.05, marketCost: '0.06' })
  generations.find('gen_a').readMetadata({})
  assert.deepEqual(generations.billing(), {
    cost: 7n * CENT,
    marketCost: 6n * CENT,
    isByok: null,
  })
})

test("takes what came before any name as the first named one's", () => {
  const generations = new GatewayGenerations()
  generations.find(null).readUsage({ cost: 0.01 })
  generations.find('gen_a').readUsage({ cost: 0.02 })
  generations.find(null).readUsage({ cost: 0.03 })
  assert.equal(generations.billing().cost, 3n * CENT)
})

test("forgets a generation's own cost once another speaks for it", () => {
  const generations = new GatewayGenerations()
  generations.find('gen_a').readMetadata({ cost: '0.01' })
  const home = generations.find('gen_b')
  generations.join('gen_a', home)
  generations.find('gen_a').readMetadata({ cost: '0.01' })
  home.readUsage({ cost: 0.04 })
  assert.equal(generations.billing().cost, 4n * CENT)
})

test('knows nothing of money when nothing was said of it', () => {
  const generations = new GatewayGenerations()
  generations.find('gen_a').readMetadata({ routing: {} })
  assert.deepEqual(generations.billing(), { cost: null, marketCost: null, isByok: null })
})

test('counts a call as charged when one of its generations was', () => {
  const generations = new GatewayGenerations()
  generations.find('gen_a').readUsage({ cost: 0, is_byok: true })
  assert.equal(generations.billing().isByok, true)
  generations.find('gen_b').readUsage({ cost: 0.01, is_byok: false })
  assert.deepEqual(generations.billing(), { cost: CENT, marketCost: null, isByok: false })
})

test('remembers as many generations as its limit, and counts none of the others twice', () => {
  const generations = new GatewayGenerations()
  for (let at = 0; at < GENERATIONS_MAX; at++) {
    generations.find(`gen_${at}`).readUsage({ cost: 0.01 })
  }
  assert.equal(generations.billing().cost, BigInt(GENERATIONS_MAX) * CENT)
  generations.find('gen_beyond').readUsage({ cost: 0.01 })
  generations.find('gen_beyond').readUsage({ cost: 0.01 })
  assert.equal(generations.billing().cost, BigInt(GENERATIONS_MAX) * CENT)
})

const BYOK: readonly (readonly [string | null, boolean | null, number, boolean | null])[] = [
  // credentialType, is_byok, cost, and what is made of them
  [null, null, 0, null],
  ['byok', null, 0, true],
  ['byok', false, 0, true],
  ['byok', false, 0.01, false],
  ['system', true, 0, true],
  ['system', true, 0.01, false],
  ['system', null, 0.01, false],
  [null, true, 0, true],
  [null, false, 0.01, false],
]

for (const [credentialType, isByok, cost, expected] of BYOK) {
  test(`takes ${credentialType}, ${isByok} and a cost of ${cost} for isByok ${expected}`, () => {
    const generations = new GatewayGenerations()
    const attempts = [{ success: true, credentialType }]
    generations.find('gen_a').readMetadata({ routing: { attempts } })
    generations.find('gen_a').readUsage({ cost, is_byok: isByok })
    assert.equal(generations.billing().isByok, expected)
  })
}
