// The words behind a benchmark's name. Each benchmark says which of them it knows.

import { parseArgs } from 'node:util'

const STORES = ['sqlite', 'postgres', 'clickhouse'] as const
export type StoreName = (typeof STORES)[number]

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    tenth: { type: 'boolean', default: false },
    rule: { type: 'boolean', default: false },
    keep: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
  },
})

export function readStore(): StoreName {
  const store = STORES.find((name) => name === values.store)
  if (store === undefined) throw new Error(`--store is one of ${STORES.join(', ')}.`)
  return store
}

export const { full: isFull, tenth: isTenth, rule: isRuleOnly, keep } = values
