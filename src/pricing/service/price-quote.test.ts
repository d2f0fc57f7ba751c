import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { PriceTables, PriceQuestion } from '../tables/price-tables.ts'
import { quotePrice } from './price-quote.ts'

test('a quote asks for the price of its tier, region and moment', () => {
  const asked: PriceQuestion[] = []
  const priceTables: PriceTables = {
    find(question) {
      asked.push(question)
      return null
    },
  }
  const question = { provider: 'acme', model: 'big', tokens: { input: 1 }, toolCalls: {} }
  quotePrice(priceTables, { ...question, serviceTier: null, region: 'us-east5', atMs: 5 })
  quotePrice(priceTables, { ...question, serviceTier: null, atMs: 6 })
  const named = { provider: 'acme', model: 'big', serviceTier: null }
  assert.deepEqual(asked, [
    { ...named, region: 'us-east5', atMs: 5 },
    { ...named, region: null, atMs: 6 },
  ])
})
