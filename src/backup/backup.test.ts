import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../test/contracts/request-log-contract.ts'
import { batchOf, findFaults, NOON, total } from '../../test/contracts/usage-scene.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import { claimJournals } from '../journal/slots.ts'
import { openSettingsStore, openLedgerStore } from '../store/open-store.ts'
import { parseManifest, toManifestBytes } from './backup-manifest.ts'
import { writeBackup } from './backup.ts'
import type { Backup } from './backup.ts'
import { lockDataDir } from './data-dir.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { restoreBackup } from './restore.ts'

const clock = { now: () => NOON, monotonic: () => NOON }

interface Scene {
  readonly root: string
  readonly dataDir: string
  readonly file: string
  readonly call: UsageRecord
  readonly backup: (isForced?: boolean) => Promise<Backup>
}

/** A data directory with one key and one call. */
async function openScene(context: TestContext): Promise<Scene> {
  const root = mkdtempSync(join(tmpdir(), 'weir-backup-'))
  context.after(() => rmSync(root, { recursive: true }))
  const dataDir = join(root, 'data')
  const file = join(root, 'weir.tar')
  mkdirSync(dataDir, { mode: 0o700 })
  const settings = await openSettingsStore({ dataDir, clock })
  await settings.setupCode.create()
  await settings.close()
  const call = createCall(NOON)
  await writeCalls(dataDir, call)
  const backup = (isForced = false): Promise<Backup> =>
    writeBackup({ dataDir, clock, file, isForced })
  return { root, dataDir, file, call, backup }
}

async function writeCalls(dataDir: string, ...calls: readonly UsageRecord[]): Promise<void> {
  const store = await openLedgerStore({ dataDir, clock })
  await store.writeBatch(batchOf(...calls))
  await store.close()
}

async function countCalls(dataDir: string): Promise<number> {
  const store = await openLedgerStore({ dataDir, clock })
  const sum = await total(store)
  await store.close()
  return sum?.requests ?? 0
}

test('one private file holds both databases and what they must be', async (context) => {
  const { file, root, backup } = await openScene(context)
  const { bytes, manifest } = await backup()
  const names = execFileSync('tar', ['tf', file], { encoding: 'utf8' }).trim().split('\n')
  assert.deepEqual(names, ['manifest.json', 'usage.db', 'settings.db'])
  const text = execFileSync('tar', ['xOf', file, 'manifest.json'], { encoding: 'utf8' })
  assert.deepEqual(parseManifest(text), manifest)
  assert.deepEqual(
    [manifest.format, manifest.created_at],
    ['weir-backup/1', '2026-10-15T12:00:00.000Z'],
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(file).size, bytes)
  assert.deepEqual(readdirSync(root).toSorted(), ['data', 'weir.tar'])
})

test('a backup beside a writer is one moment of it', async (context) => {
  const { dataDir, root, file, backup } = await openScene(context)
  const store = await openLedgerStore({ dataDir, clock })
  const written = backup()
  for (let at = 1; at < 40; at += 1) await store.writeBatch(batchOf(createCall(NOON + at)))
  await written
  const target = join(root, 'other')
  await restoreBackup({ dataDir: target, clock, file, isForced: false })
  await store.close()
  const restored = await openLedgerStore({ dataDir: target, clock })
  const { tally } = await restored.progress.readState()
  assert.equal((await total(restored))?.requests, tally.recorded)
  assert.deepEqual(await findFaults(restored), [])
  await restored.close()
})

test('a file that is there is kept unless it may be replaced', async (context) => {
  const { file, backup } = await openScene(context)
  writeFileSync(file, 'precious')
  await assert.rejects(backup(), { code: 'invalid_argument', hint: /--force/ })
  assert.equal(readFileSync(file, 'utf8'), 'precious')
  await backup(true)
  assert.ok(statSync(file).size > 1000)
})

test('what a killed backup left is in the way until it is told to go', async (context) => {
  const { root, file, backup } = await openScene(context)
  writeFileSync(`${file}.part`, 'half')
  writeFileSync(`${file}.part-usage.db`, 'half')
  await assert.rejects(backup(), {
    code: 'invalid_argument',
    message: /weir.tar.part already exists/,
  })
  assert.equal(readFileSync(`${file}.part`, 'utf8'), 'half')
  await backup(true)
  assert.deepEqual(readdirSync(root).toSorted(), ['data', 'weir.tar'])
})

test('a backup has a source and a place of its own', async (context) => {
  const { root, dataDir } = await openScene(context)
  const wanted = { clock, isForced: true }
  const none = writeBackup({ ...wanted, dataDir: join(root, 'none'), file: join(root, 'a.tar') })
  await assert.rejects(none, { code: 'data_dir_unusable', message: /no usage.db/ })
  assert.equal(existsSync(join(root, 'none')), false)
  const inside = writeBackup({ ...wanted, dataDir, file: join(dataDir, 'usage.db') })
  await assert.rejects(inside, { code: 'invalid_argument', message: /data directory itself/ })
  const nowhere = writeBackup({ ...wanted, dataDir, file: join(root, 'no', 'where.tar') })
  await assert.rejects(nowhere, { code: 'invalid_argument', message: /ENOENT/ })
  const folder = writeBackup({ ...wanted, dataDir, file: root })
  await assert.rejects(folder, { code: 'invalid_argument', hint: /name a file/ })
})

test('a restore puts the old databases aside with their logs and deletes nothing', async (context) => {
  const { dataDir, file, call, backup } = await openScene(context)
  await backup()
  await writeCalls(dataDir, createCall(NOON + 1))
  writeFileSync(join(dataDir, 'usage.db-wal'), 'not folded back yet')
  const options = { dataDir, clock, file }
  await assert.rejects(restoreBackup({ ...options, isForced: false }), { hint: /--force/ })
  const { aside } = await restoreBackup({ ...options, isForced: true })
  assert.deepEqual(aside, [
    'usage.db.before-restore-20261015T120000000Z',
    'settings.db.before-restore-20261015T120000000Z',
  ])
  const log = readFileSync(join(dataDir, `${aside[0]}-wal`), 'utf8')
  assert.equal(log, 'not folded back yet')
  assert.equal(await countCalls(dataDir), 1)
  const store = await openLedgerStore({ dataDir, clock })
  assert.deepEqual(await store.usage.readRecord(call.event.id), call)
  await store.close()
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('restore')),
    [],
  )
})

test('a restore ends the sessions and links of the backup', async (context) => {
  const { dataDir, file, backup } = await openScene(context)
  const before = await openSettingsStore({ dataDir, clock })
  const user = { email: 'ada@example.com', name: 'Ada', role: 'admin', subject: null } as const
  const { id } = await before.users.create({ ...user, passwordHash: 'hash' })
  const session = { userId: id, expiresAt: NOON + 1000, agent: null, address: null }
  const { credential } = await before.sessions.create(session)
  const link = await before.users.createLink(id, 1000)
  await before.close()
  await backup()
  await restoreBackup({ dataDir, clock, file, isForced: true })
  const restored = await openSettingsStore({ dataDir, clock })
  assert.equal(await restored.sessions.find(credential, 0), null)
  assert.equal(await restored.users.redeemLink(link?.code ?? '', 'other'), null)
  const filter = { noun: null, actorId: null, subjectId: null }
  const { entries } = await restored.audit.list(filter, { before: null, rowsMax: 1 })
  assert.deepEqual([entries[0]?.action, entries[0]?.actor.kind], ['session.end', 'command'])
  await restored.close()
})

test('a restore waits for nobody: a held data directory is refused', async (context) => {
  const { dataDir, file, backup } = await openScene(context)
  await backup()
  const release = lockDataDir(dataDir)
  const restored = restoreBackup({ dataDir, clock, file, isForced: true })
  await assert.rejects(restored, { code: 'data_dir_in_use' })
  release()
})

test('a restore is refused while a ledger outlives the weir start it belonged to', async (context) => {
  const { dataDir, file, backup } = await openScene(context)
  await backup()
  const release = claimJournals(journalDir(dataDir))
  const options = { dataDir, clock, file, isForced: true }
  await assert.rejects(restoreBackup(options), { code: 'data_dir_in_use', hint: /try again/ })
  release?.()
  assert.equal((await restoreBackup(options)).aside.length, 2)
})

test('a restore leaves no part of a database in a log beside it', async (context) => {
  const { dataDir, file, backup } = await openScene(context)
  await backup()
  const others: DatabaseSync[] = []
  // Whoever has the database open keeps SQLite from folding its log back.
  const onProgress = (step: string, done: number): void => {
    if (!step.startsWith('checking') || done !== 2) return
    const other = new DatabaseSync(join(dataDir, 'restore.part', 'usage.db'))
    other.exec('BEGIN; SELECT COUNT(*) FROM records')
    others.push(other)
  }
  const restored = restoreBackup({ dataDir, clock, file, isForced: true, onProgress })
  await assert.rejects(restored, { code: 'store_unusable', message: /log of usage.db/ })
  for (const other of others) other.close()
  assert.equal(await countCalls(dataDir), 1)
  assert.equal(existsSync(join(dataDir, 'restore.part')), false)
})

test('a backup is as of the moment before its first copy', async (context) => {
  const { dataDir, file } = await openScene(context)
  const isCopied = (): boolean => existsSync(`${file}.part-settings.db`)
  const now = (): number => (isCopied() ? NOON + 60_000 : NOON)
  const moving = { now, monotonic: now }
  const { manifest } = await writeBackup({ dataDir, clock: moving, file, isForced: false })
  assert.equal(manifest.created_at, '2026-10-15T12:00:00.000Z')
})

const DAMAGES: readonly (readonly [string, (file: string) => void, RegExp])[] = [
  ['a flipped byte', (file) => flipByte(file, 20_000), /usage.db does not match its checksum/],
  ['a cut end', (file) => writeFileSync(file, readFileSync(file).subarray(0, 9000)), /cut short/],
  ['a text', (file) => writeFileSync(file, 'no backup at all'), /cut short/],
  ['a tar file of somebody else', (file) => writeOther(file), /does not begin with/],
  [
    'a backup of a newer format',
    (file) => changeManifest(file, (text) => text.replace('weir-backup/1', 'weir-backup/2')),
    /from a newer Weir/,
  ],
  [
    'another manifest',
    (file) => changeManifest(file, (text) => text.replace('"bytes"', '"bites"')),
    /manifest.json of the backup is damaged/,
  ],
]

for (const [title, damage, message] of DAMAGES) {
  test(`${title} is refused, and nothing is changed`, async (context) => {
    const { dataDir, file, backup } = await openScene(context)
    await backup()
    damage(file)
    const before = readdirSync(dataDir)
    const restored = restoreBackup({ dataDir, clock, file, isForced: true })
    await assert.rejects(restored, { code: 'invalid_argument', message })
    assert.deepEqual(new Set(readdirSync(dataDir)), new Set([...before, 'weir.lock']))
    assert.equal(await countCalls(dataDir), 1)
  })
}

test('databases of a newer Weir are refused, and nothing is changed', async (context) => {
  const { root, dataDir, file, backup } = await openScene(context)
  const database = new DatabaseSync(join(dataDir, 'usage.db'))
  database.exec('PRAGMA user_version = 99')
  database.close()
  await backup()
  const target = join(root, 'other')
  const restored = restoreBackup({ dataDir: target, clock, file, isForced: false })
  await assert.rejects(restored, { code: 'store_unusable', message: /newer Weir/ })
  assert.deepEqual(readdirSync(target), ['weir.lock'])
})

test('a manifest that is not JSON, or names a file twice, is damaged', () => {
  const sha256 = 'a'.repeat(64)
  const file = { name: 'usage.db', bytes: 1, sha256 } as const
  const created_at = '2026-10-15T12:00:00.000Z'
  const manifest = {
    format: 'weir-backup/1',
    version: '1',
    created_at,
    files: [file, file],
  } as const
  for (const text of [
    '',
    'null',
    '[]',
    toManifestBytes({ ...manifest, files: [file, file] }).toString(),
  ]) {
    assert.throws(() => parseManifest(text), { code: 'invalid_argument' })
  }
})

function flipByte(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] as number) ^ 1
  writeFileSync(file, bytes)
}

function writeOther(file: string): void {
  execFileSync('tar', [
    '--format=ustar',
    '-cf',
    `${file}.other`,
    '-C',
    join(file, '..'),
    'weir.tar',
  ])
  writeFileSync(file, readFileSync(`${file}.other`))
  rmSync(`${file}.other`)
}

function changeManifest(file: string, change: (text: string) => string): void {
  const bytes = readFileSync(file)
  const [from, to] = [512, 1536]
  Buffer.from(change(bytes.toString('utf8', from, to))).copy(bytes, from)
  writeFileSync(file, bytes)
}
