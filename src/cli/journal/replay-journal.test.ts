import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { PLAIN_BUDGET } from '../../../test/contracts/settings-scene.ts'
import { createRecord, EMPTY } from '../../../test/contracts/usage-scene.ts'
import { createTestConfig } from '../../../test/fakes/role-process.ts'
import { sampleCall } from '../../../test/fakes/stored-calls.ts'
import { systemClock } from '../../core/clock.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { claimLock } from '../../journal/lock.ts'
import { openJournalReader } from '../../journal/reader.ts'
import { openJournalWriter } from '../../journal/writer.ts'
import { toCloseText } from '../../ledger/dead-letters.ts'
import { readCompleteness } from '../../ledger/read-completeness.ts'
import { Round } from '../../ledger/round.ts'
import type { PriceTables } from '../../pricing/tables/price-tables.ts'
import { UnstorableRecord } from '../../store/ledger/ledger-store.ts'
import type { UsageBatch, LedgerStore } from '../../store/ledger/ledger-store.ts'
import { openSettingsStore, openLedgerStore } from '../../store/open-store.ts'
import {
  createDeadLetterFile,
  deadLetterFile,
  takenLetterFile,
  takeLetters,
} from '../../ledger/dead-letter-file.ts'
import { countForBudgets, replayJournal } from './replay-journal.ts'
import { createMeter } from '../../app/meter.ts'
import { replayLetterFile } from '../../ledger/replay-letter-file.ts'
import { createSlugOf } from '../../config/slug-of.ts'

const tokens = createTokenCounts({ input: 1, output: 1 })

interface Scene {
  readonly dataDir: string
  readonly store: LedgerStore
  /** Models whose price breaks the pricing. */
  readonly poisons: Set<string>
  /** Calls through a journal, to the end of which the ledger then goes. */
  readonly run: (...events: readonly UsageEvent[]) => Promise<void>
  readonly ledger: () => Promise<void>
  readonly replay: (isTrial?: boolean) => ReturnType<typeof replayLetterFile>
  readonly completeness: () => ReturnType<typeof readCompleteness>
}

async function openScene(t: TestContext): Promise<Scene> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-replay-'))
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  t.after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  const dir = join(dataDir, 'journal')
  const meter = createMeter()
  const { journal: limits } = createTestConfig()
  const poisons = new Set(['poison'])
  const priceTables: PriceTables = {
    find: ({ model }) => {
      if (poisons.has(model)) throw new Error(`no rate for ${model}`)
      return null
    },
  }
  const reader = openJournalReader({ dir })
  const deadLetters = createDeadLetterFile(dataDir)
  const ledger = async (): Promise<void> => {
    const fixed = {
      reader,
      store,
      deadLetters,
      priceTables: () => priceTables,
      clock: systemClock,
      meter,
    }
    const round = new Round({ ...fixed, batchLinesMax: 1000 })
    while (await round.run());
  }
  return {
    dataDir,
    store,
    poisons,
    ledger,
    run: async (...events) => {
      const writer = openJournalWriter({ dir, worker: 'w0', ...limits, fsync: 'never', meter })
      for (const event of events) {
        writer.append({ kind: 'open', opening: event })
        writer.append({ kind: 'close', event })
      }
      await writer.close()
      await ledger()
    },
    replay: (isTrial = false) => {
      return replayLetterFile(store, { dataDir, priceTables, nowMs: 5, isTrial })
    },
    completeness: () => readCompleteness(store.progress, reader),
  }
}

const poisoned = (model = 'poison'): UsageEvent => createRecord({ model, tokens }).event

const report = (changes: object) => {
  return { letters: 0, stored: 0, known: 0, waiting: 0, kept: 0, reasons: [], ...changes }
}

test('without letters there is nothing to do', async (t) => {
  const scene = await openScene(t)
  assert.deepEqual(await scene.replay(), report({}))
  assert.deepEqual(await scene.replay(true), report({}))
})

test('stores what can be stored now, keeps the rest with its newest reason, and both add up', async (t) => {
  const scene = await openScene(t)
  scene.poisons.add('bane')
  const [mended, stuck] = [poisoned(), poisoned('bane')]
  await scene.run(createRecord().event, mended, stuck)
  const before = { forwarded: 3, recorded: 1, pending: 0, dead: 2, lost: 0 }
  assert.deepEqual(await scene.completeness(), before)
  scene.poisons.delete('poison')
  const kept = {
    letters: 2,
    stored: 1,
    kept: 1,
    reasons: [{ reason: 'no rate for bane', count: 1 }],
  }
  assert.deepEqual(await scene.replay(true), report(kept))
  assert.deepEqual(await scene.completeness(), before)
  assert.deepEqual(await scene.replay(), report(kept))
  assert.deepEqual((await scene.store.usage.readRecord(mended.id))?.event, mended)
  assert.deepEqual(await scene.completeness(), { ...before, recorded: 2, dead: 1 })
  assert.match(readFileSync(deadLetterFile(scene.dataDir), 'utf8'), /^\{"at":5,"reason":"no rate/)
  scene.poisons.clear()
  assert.deepEqual(await scene.replay(), report({ letters: 1, stored: 1 }))
  assert.deepEqual(await scene.completeness(), { ...before, recorded: 3, dead: 0 })
  assert.equal(existsSync(deadLetterFile(scene.dataDir)), false)
})

test('an object that the ledger counts while a replay runs is counted once', async (t) => {
  const scene = await openScene(t)
  const countedAs = 'response:r1'
  const put = createRecord({ model: 'poison', tokens, countedAs }).event
  await scene.run(put)
  scene.poisons.clear()
  const beside = await openLedgerStore({ dataDir: scene.dataDir, clock: systemClock })
  t.after(() => beside.close())
  let isCounted = false
  const progress: typeof beside.progress = {
    ...beside.progress,
    readCounted: async (objects) => {
      const known = await beside.progress.readCounted(objects)
      // The ledger comes between the question and the write.
      if (!isCounted) await scene.run(createRecord({ tokens, countedAs }).event)
      isCounted = true
      return known
    },
  }
  const replayed = await replayLetterFile(
    { ...beside, progress },
    { dataDir: scene.dataDir, priceTables: { find: () => null }, nowMs: 5, isTrial: false },
  )
  assert.deepEqual(replayed, report({ letters: 1, stored: 1 }))
  const record = await scene.store.usage.readRecord(put.id)
  assert.deepEqual([record?.event.tokens, record?.cost.source], [null, 'free'])
})

test('a replay that was killed after its write is repeated without counting anything twice', async (t) => {
  const scene = await openScene(t)
  const events = [poisoned(), poisoned()]
  await scene.run(...events)
  scene.poisons.clear()
  const text = readFileSync(deadLetterFile(scene.dataDir), 'utf8')
  await scene.replay()
  // As if the process had died before it gave up what it had taken.
  writeFileSync(takenLetterFile(scene.dataDir), text)
  assert.deepEqual(await scene.replay(), report({ letters: 2, known: 2 }))
  const whole = { forwarded: 2, recorded: 2, pending: 0, dead: 0, lost: 0 }
  assert.deepEqual(await scene.completeness(), whole)
  assert.equal(existsSync(takenLetterFile(scene.dataDir)), false)
})

test('a replay that was killed before its write leaves its letters to the next', async (t) => {
  const scene = await openScene(t)
  await scene.run(poisoned())
  await takeLetters(scene.dataDir)
  await scene.run(poisoned())
  scene.poisons.clear()
  assert.deepEqual(await scene.replay(), report({ letters: 2, stored: 2 }))
  assert.equal((await scene.completeness()).dead, 0)
})

test('a letter whose line is still before the ledger is left to the ledger', async (t) => {
  const scene = await openScene(t)
  const [event] = [poisoned()]
  const write = scene.store.writeBatch.bind(scene.store)
  const killed = { writeBatch: () => Promise.reject(new Error('killed')) }
  Object.assign(scene.store, killed)
  await assert.rejects(scene.run(event), /killed/)
  Object.assign(scene.store, { writeBatch: write })
  scene.poisons.clear()
  assert.deepEqual(await scene.replay(), report({ letters: 1, waiting: 1 }))
  assert.deepEqual((await scene.completeness()).dead, 0)
  await scene.ledger()
  const whole = { forwarded: 1, recorded: 1, pending: 0, dead: 0, lost: 0 }
  assert.deepEqual(await scene.completeness(), whole)
  assert.deepEqual(await scene.replay(), report({ letters: 1, known: 1 }))
  assert.deepEqual(await scene.completeness(), whole)
})

test('what the store refuses is kept, and the others of its batch go in', async (t) => {
  const scene = await openScene(t)
  const events = [poisoned(), poisoned(), poisoned()] as const
  await scene.run(...events)
  scene.poisons.clear()
  const write = scene.store.writeBatch.bind(scene.store)
  const refuse = async (batch: UsageBatch): Promise<void> => {
    const odd = batch.records.find(({ event }) => event.id === events[1].id)
    if (odd !== undefined) throw new UnstorableRecord(odd.event.id, new Error('too odd'))
    await write(batch)
  }
  Object.assign(scene.store, { writeBatch: refuse })
  const reasons = [{ reason: 'too odd', count: 1 }]
  assert.deepEqual(await scene.replay(), report({ letters: 3, stored: 2, kept: 1, reasons }))
  assert.deepEqual(await scene.completeness(), {
    forwarded: 3,
    recorded: 2,
    pending: 0,
    dead: 1,
    lost: 0,
  })
})

test('of several letters that tell of one call, the one that closes it counts', async (t) => {
  const scene = await openScene(t)
  const event = createRecord().event
  const json = toCloseText(1, event)
  const opening = `{"n":1,"k":"open","o":${JSON.stringify(event)}}`
  const alone = createRecord().event
  const texts = [
    opening,
    json.replace('"close"', '"held"'),
    json,
    `{"n":1,"k":"open","o":${JSON.stringify(alone)}}`,
  ]
  const letters = texts.map((text, index) => {
    return { at: 1, reason: '', worker: 'w9', sequence: index + 1, text }
  })
  await createDeadLetterFile(scene.dataDir).append(letters)
  await scene.store.writeBatch({ ...EMPTY, forwarded: 2, dead: 1 })
  const outcome = await scene.replay()
  assert.deepEqual(outcome, report({ letters: 4, stored: 2, known: 2 }))
  assert.equal((await scene.store.usage.readRecord(event.id))?.event.status, 'delivered')
  assert.equal((await scene.store.usage.readRecord(alone.id))?.event.status, 'interrupted')
  assert.deepEqual(await scene.completeness(), {
    forwarded: 2,
    recorded: 2,
    pending: 0,
    dead: 0,
    lost: 0,
  })
})

test('letters that nobody can read stay as they are', async (t) => {
  const scene = await openScene(t)
  const damaged = '{"at":1,"reason":"","worker":"w0","text":"x"}'
  const unknown = { at: 1, reason: 'why', worker: 'w0', sequence: 1, text: '{"n":1,"k":"what"}' }
  writeFileSync(deadLetterFile(scene.dataDir), `${damaged}\n${JSON.stringify(unknown)}\n`)
  const { kept, letters } = await scene.replay()
  assert.deepEqual([letters, kept], [2, 2])
  const text = readFileSync(deadLetterFile(scene.dataDir), 'utf8')
  assert.ok(text.includes(damaged))
  assert.match(text, /its kind .*what.* is unknown/)
})

test('with no letter left no call is dead, whatever was counted', async (t) => {
  const scene = await openScene(t)
  await scene.store.writeBatch({ ...EMPTY, dead: 3 })
  await scene.replay()
  assert.equal((await scene.completeness()).dead, 0)
})

test('only one replay works on a data directory at a time', async (t) => {
  const { dataDir } = await openScene(t)
  const config = { ...createTestConfig(), dataDir }
  const options = { config, clock: systemClock, isTrial: false }
  const release = claimLock(join(dataDir, 'dead-letters.lock'))
  await assert.rejects(replayJournal(options), /Another replay is running/)
  release?.()
  assert.deepEqual(await replayJournal(options), report({}))
})

test('what a replay stores counts for the budgets, and a dry run leaves them alone', async (t) => {
  const { dataDir, store, poisons, run } = await openScene(t)
  const config = { ...createTestConfig(), dataDir }
  const nowMs = Date.UTC(2026, 10, 15, 12)
  const clock = { now: () => nowMs, monotonic: () => 0 }
  const settings = await openSettingsStore({ dataDir, clock })
  const budget = await settings.budgets.create({ ...PLAIN_BUDGET, limit: 1n, thresholds: [100] })
  await settings.close()
  const event = sampleCall({ endedAt: nowMs, provider: 'openai', model: 'gpt-4o' })
  poisons.add('gpt-4o')
  await run(event)
  const countAlerts = async () => (await store.progress.outbox.read(0, 10)).alerts.length
  await replayJournal({ config, clock, isTrial: true })
  assert.equal(await countAlerts(), 0)
  assert.equal((await replayJournal({ config, clock, isTrial: false })).stored, 1)
  const slugOf = (provider: string, model: string): string => `${provider}/${model}`
  const [spend] = await store.progress.budgets.readSpend([budget], { slugOf, nowMs })
  assert.equal(spend?.spent, (await store.usage.readRecord(event.id))?.cost.amount)
  assert.deepEqual([spend?.calls, await countAlerts()], [1, 1])
})

test('a budget that is made while a replay runs misses none of its calls', async (t) => {
  const { dataDir, store } = await openScene(t)
  const config = { ...createTestConfig(), dataDir }
  const nowMs = Date.UTC(2026, 10, 15, 12)
  const clock = { now: () => nowMs, monotonic: () => 0 }
  const settings = await openSettingsStore({ dataDir, clock })
  t.after(() => settings.close())
  const replaying = await openLedgerStore({ dataDir, clock })
  t.after(() => replaying.close())
  const counting = countForBudgets(replaying, settings.budgets, { config, clock, isTrial: false })
  const call = () => createRecord({ endedAt: nowMs }, { amount: 3n })
  await counting.writeBatch({ ...EMPTY, records: [call()] })
  const budget = await settings.budgets.create(PLAIN_BUDGET)
  const slugOf = createSlugOf(config)
  await store.progress.budgets.watch([budget], { slugOf, nowMs })
  await counting.writeBatch({ ...EMPTY, records: [call()] })
  await store.writeBatch({ ...EMPTY, records: [call()] })
  assert.equal((await store.progress.budgets.readSpend([budget], { slugOf, nowMs }))[0]?.spent, 9n)
})
