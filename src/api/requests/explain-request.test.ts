import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleCall, toBatch, withUsage } from '../../../test/fakes/stored-calls.ts'
import { createPriceBook } from '../../pricing/book/price-book.ts'
import { explainRequest } from './explain-request.ts'

const NOVEMBER = Date.UTC(2026, 10, 1)

test('a call that is stored while it is looked for in the journals is explained', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-explain-'))
  context.after(() => rmSync(dataDir, { recursive: true }))
  const book = createPriceBook()
  const call = sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt: NOVEMBER })
  const explained = await withUsage(dataDir, (store) => {
    // Its ledger comes between the look for the record and the one at the journals.
    const ledgerBook = {
      ...store.book,
      readState: async () => {
        await store.writeBatch(toBatch([call], book))
        return store.book.readState()
      },
    }
    return explainRequest({ usage: store.usage, ledgerBook, book, dataDir }, call.id)
  })
  assert.ok(explained.kind === 'recorded')
  assert.equal(explained.detail.cost_usd, '0.0075')
})
