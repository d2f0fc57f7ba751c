import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { PriceBook, PriceQuestion } from '../book/price-book.ts'
import { quotePrice } from './price-quote.ts'

test('a quote asks for the price of its tier, region and moment', () => {
  const asked: PriceQuestion[] = []
  const book: PriceBook = {
    find(question) {
      asked.push(question)
      return null
    },
  }
  const question = { provider: 'acme', model: 'big', tokens: { input: 1 }, toolCalls: {} }
  quotePrice(book, { ...question, serviceTier: null, region: 'us-east5', atMs: 5 })
  quotePrice(book, { ...question, serviceTier: null, atMs: 6 })
  const named = { provider: 'acme', model: 'big', serviceTier: null }
  assert.deepEqual(asked, [
    { ...named, region: 'us-east5', atMs: 5 },
    { ...named, region: null, atMs: 6 },
  ])
})
