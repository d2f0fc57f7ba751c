import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createState } from '../../../test/fakes/budget-states.ts'
import { createTestKey } from '../../../test/fakes/test-key.ts'
import { createKeyCredential } from '../../core/ids.ts'
import { readBudgetCopy, writeBudgetCopy } from './budget-copy.ts'
import { confirmCopy, readCopy, writeCopy } from './copy-file.ts'
import type { CopyFile } from './copy-file.ts'
import { readKeyCopy, writeKeyCopy } from './key-copy.ts'

function openScene(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-copy-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const file: CopyFile = { dataDir, name: 'keys-copy.json' }
  return { dataDir, file, place: path.join(dataDir, file.name) }
}

function fail(reason: string): void {
  assert.fail(reason)
}

test('keys come back as they were, without what only people need', async (t) => {
  const { dataDir } = openScene(t)
  const credential = createKeyCredential()
  const key = createTestKey(credential, {
    owner: 'Ann',
    note: 'for the shop',
    costCenter: 'CC-4711',
    revokedAt: 5,
    pausedAt: 4,
    allowedModels: ['some/*'],
    useCredentials: ['some'],
    allowDerivedTokens: true,
    oldSecret: { hash: 'ab', endsAt: 9 },
    rateLimitRpm: 60,
  })
  await writeKeyCopy(dataDir, [key])
  assert.deepEqual(readKeyCopy(dataDir, fail)?.keys, [
    { ...key, owner: null, note: null, costCenter: null },
  ])
  const text = readFileSync(path.join(dataDir, 'keys-copy.json'), 'utf8')
  assert.ok(text.includes(key.secretHash))
  assert.ok(!text.includes(credential.secret))
})

test('keys of a copy that an older Weir wrote have no right that it did not know', async (t) => {
  const { dataDir, file } = openScene(t)
  const whole = createTestKey(createKeyCredential())
  const { useCredentials, allowDerivedTokens, ...older } = whole
  await writeCopy(file, [older])
  assert.deepEqual(readKeyCopy(dataDir, fail)?.keys, [whole])
  assert.deepEqual([useCredentials, allowDerivedTokens], [[], false])
})

test('budgets come back with amounts of any size', async (t) => {
  const { dataDir } = openScene(t)
  const state = createState({ limit: 10n ** 30n + 1n, spent: 2n ** 64n })
  const usual = { cost: 2n ** 60n + 1n, requestBytes: 10, outputTokens: 20 }
  const report = { states: [state, { ...state, usual }], completeUntil: 1234 }
  await writeBudgetCopy(dataDir, report)
  const lines: string[] = []
  assert.deepEqual(
    readBudgetCopy(dataDir, (line) => void lines.push(line)),
    report,
  )
  assert.match(lines.join(), /Blocking budgets are a copy of 20\d\d-/)
})

test('a copy is for its owner alone, also where one before was not', async (t) => {
  const { file, place } = openScene(t)
  writeFileSync(`${place}.part`, 'left by a crash, longer than what is written now'.repeat(9))
  chmodSync(`${place}.part`, 0o644)
  await writeCopy(file, [1])
  assert.equal(statSync(place).mode & 0o777, 0o600)
  const copy = readCopy(file)
  assert.deepEqual(copy.kind === 'found' && copy.content, [1])
})

test('a copy tells when it was last known to be true', async (t) => {
  const { file } = openScene(t)
  await writeCopy(file, [])
  await confirmCopy(file, 1_750_000_000_000)
  assert.deepEqual(readCopy(file), { kind: 'found', confirmedAt: 1_750_000_000_000, content: [] })
})

test('where there is no copy, none is found', (t) => {
  assert.deepEqual(readCopy(openScene(t).file), { kind: 'absent' })
})

test('a copy with any byte changed, or cut anywhere, is refused in words', async (t) => {
  const { file, place } = openScene(t)
  await writeCopy(file, [{ id: 'svc_k_1', revokedAt: 5 }])
  const whole = readFileSync(place)
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] as number) ^ 1
    writeFileSync(place, changed)
    const copy = readCopy(file)
    assert.equal(copy.kind, 'unusable', `with byte ${at} changed`)
    truncateSync(place, at)
    assert.equal(readCopy(file).kind, 'unusable', `cut after ${at} bytes`)
  }
  writeFileSync(place, whole.subarray(0, -1))
  const reasons: string[] = []
  assert.equal(
    readKeyCopy(file.dataDir, (reason) => void reasons.push(reason)),
    null,
  )
  assert.match(reasons.join(), /^The copy \S+keys-copy\.json is not used: it is damaged\.$/)
})

test('a copy of another format is refused in words', async (t) => {
  const { file, place } = openScene(t)
  await writeCopy(file, [])
  writeFileSync(place, readFileSync(place, 'utf8').replace('"format":1', '"format":2'))
  const copy = readCopy(file)
  assert.match(copy.kind === 'unusable' ? copy.reason : '', /another version of Weir wrote it/)
})
