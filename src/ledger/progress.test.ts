// The database under a running ledger becomes one of an earlier moment, or an empty one.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createOpening, createRecord } from '../../test/contracts/usage-scene.ts'
import { openJournalScene } from '../../test/fakes/journal-scene.ts'
import { createMeter } from '../app/meter.ts'
import type { JournalWriter } from '../journal/journal.ts'
import { openJournalReader } from '../journal/reader.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { Round } from './round.ts'

const NOW = Date.parse('2026-10-20T12:00:00Z')
const TALLY_READ_MS = 5000

async function openScene(context: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-progress-'))
  const { dir, open } = openJournalScene(context)
  let store = await openSqliteLedger({ file: path.join(folder, 'usage.db') })
  context.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const current = new Proxy({} as LedgerStore, {
    get: (_, name) => Reflect.get(store, name) as unknown,
  })
  const said: string[] = []
  const monotonic = { ms: 0 }
  const round = new Round({
    reader: openJournalReader({ dir }),
    store: current,
    deadLetters: { append: async () => {} },
    priceTables: () => ({ find: () => null }),
    clock: { now: () => NOW, monotonic: () => monotonic.ms },
    meter: createMeter(),
    log: { error: (_, message) => void said.push(message) },
    batchLinesMax: 2,
  })
  const settle = async (): Promise<void> => {
    while (await round.run()) continue
  }
  return {
    round,
    settle,
    said,
    open,
    /** As a process sees it that stores nothing at the moment. */
    pass: () => (monotonic.ms += TALLY_READ_MS),
    records: async () => (await current.usage.requests.readExtent()).records,
    replace: async (file: string): Promise<void> => {
      await store.close()
      store = await openSqliteLedger({ file: path.join(folder, file) })
    },
    save: async (file: string): Promise<void> => {
      await store.close()
      cpSync(path.join(folder, 'usage.db'), path.join(folder, file))
      store = await openSqliteLedger({ file: path.join(folder, 'usage.db') })
    },
  }
}

async function call(journal: JournalWriter, calls = 1): Promise<void> {
  for (let left = calls; left > 0; left -= 1) {
    const opening = createOpening()
    const { event } = createRecord({ id: opening.id })
    await new Promise<void>((resolve) => journal.append({ kind: 'open', opening }, () => resolve()))
    await new Promise<void>((resolve) => journal.append({ kind: 'close', event }, () => resolve()))
  }
}

const WHOLE = { pending: 0, dead: 0, lost: 0 }

test('what a database of an earlier moment lacks is stored again from the journals', async (context) => {
  const { round, settle, said, open, pass, records, save, replace } = await openScene(context)
  const journal = open()
  context.after(() => journal.close())
  await call(journal, 2)
  await settle()
  await save('before.db')
  await call(journal, 3)
  await settle()
  assert.equal(await records(), 5)
  await replace('before.db')
  assert.equal(await records(), 2)
  // Nothing comes: it is found out all the same.
  pass()
  await round.run()
  await round.run()
  assert.match(round.figures().wayBack ?? '', /stored again from the journals\.$/)
  await settle()
  assert.equal(await records(), 5)
  assert.deepEqual(said, [
    'The database is of an earlier moment than what was stored in it; journals are stored again',
    'The journals are stored again, as far as they are on the disk',
  ])
  const { completeness, wayBack } = round.figures()
  assert.deepEqual(completeness, { ...WHOLE, forwarded: 5, recorded: 5 })
  assert.equal(wayBack, null)
})

test('calls that neither the database nor a journal has are counted as lost', async (context) => {
  const { round, settle, open, pass, records, replace } = await openScene(context)
  // A segment for each line: what is stored is removed.
  const journal = open({ segmentBytesMax: 10 })
  context.after(() => journal.close())
  await call(journal, 4)
  await settle()
  await replace('empty.db')
  pass()
  await settle()
  await call(journal)
  await settle()
  await settle()
  const { completeness } = round.figures()
  const recorded = await records()
  assert.deepEqual(completeness, { ...WHOLE, forwarded: 5, recorded, lost: 5 - recorded })
  assert.equal(recorded, 2)
})
