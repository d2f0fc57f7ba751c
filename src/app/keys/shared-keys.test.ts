// Workers of several nodes on one PostgreSQL, which is killed and comes back.

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'

import { PLAIN_KEY } from '../../../test/contracts/settings-scene.ts'
import { openPostgresServer } from '../../../test/fakes/postgres/postgres-server.ts'
import type { PostgresServer } from '../../../test/fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../../../test/fakes/postgres/test-database.ts'
import { createTestConfig } from '../../../test/fakes/role-process.ts'
import { systemClock } from '../../core/clock.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import { migrateStores } from '../../store/databases.ts'
import { createMeter } from '../meter.ts'
import { CopyWriter } from '../settings-copy/copy-writer.ts'
import { openWorkerKeys } from './worker-keys.ts'
import type { WorkerKeys } from './worker-keys.ts'

const clock = systemClock
const folder = mkdtempSync(path.join(tmpdir(), 'weir-shared-keys-'))
// PostgreSQL may run as another user.
chmodSync(folder, 0o755)
const { bin } = listPostgresPrograms()[0] as { bin: string }
let server = await openServer()
const { url } = server
after(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
await migrateStores({ settings: url, usage: url })

async function openServer(port?: number): Promise<PostgresServer> {
  const options = port === undefined ? {} : { port }
  return openPostgresServer({ bin, folder: path.join(folder, 'server'), ...options })
}

async function withoutServer<Result>(work: () => Promise<Result>): Promise<Result> {
  await server.kill()
  try {
    return await work()
  } finally {
    server = await openServer(server.port)
  }
}

interface Node {
  readonly keys: WorkerKeys
  readonly said: string[]
  readonly warned: string[]
}

async function openNode(t: TestContext, dataDir: string, said: string[] = []): Promise<Node> {
  const warned: string[] = []
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  const keys = await openWorkerKeys({
    config: { ...createTestConfig(), dataDir, settings: { url } },
    clock,
    meter: createMeter(),
    warn: (fields, message) => void warned.push(JSON.stringify(fields), message),
    say: (line) => void said.push(line),
    signal: stopping.signal,
  })
  t.after(() => keys.close())
  return { keys, said, warned }
}

function createDataDir(t: TestContext): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-node-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  return dataDir
}

async function openStore(t: TestContext) {
  const store = await openSettingsStore({ dataDir: folder, url, clock })
  t.after(() => store.close())
  return store
}

const TURN_MS = 5
const SECOND_TURNS = 1000 / TURN_MS

/**
 * Returns after how many turns it was so. They are as late as the timers of the nodes, which are in
 * this process: a busy machine slows both.
 */
async function until(test: () => boolean): Promise<number> {
  for (let turns = 0; ; turns++) {
    if (test()) return turns
    await new Promise((resolve) => setTimeout(resolve, TURN_MS))
  }
}

/** A data directory whose copy has these two keys, of which one is revoked. */
async function createCopied(t: TestContext) {
  const store = await openStore(t)
  const dataDir = createDataDir(t)
  const { key } = await store.keys.create({ ...PLAIN_KEY, allowedModels: ['some/*'] })
  const { key: revoked } = await store.keys.create(PLAIN_KEY)
  await store.keys.revoke(revoked.id)
  const warned: object[] = []
  const warn = (fields: object): void => void warned.push(fields)
  const writer = new CopyWriter({ dataDir, keys: store.keys, clock, warn })
  await writer.close()
  assert.deepEqual(warned, [])
  return { store, dataDir, key, revoked }
}

test('what one node changes holds on the others within a second', async (t) => {
  const store = await openStore(t)
  const nodes = [await openNode(t, folder), await openNode(t, folder)]
  const { key } = await store.keys.create(PLAIN_KEY)
  const onAll = (test: (ring: WorkerKeys['ring']) => boolean): Promise<number> =>
    until(() => nodes.every(({ keys }) => test(keys.ring)))
  const turns = [await onAll((ring) => ring.find(key.id) !== undefined)]
  const rotated = await store.keys.rotate(key.id)
  turns.push(await onAll((ring) => ring.find(key.id)?.secretHash === rotated?.key.secretHash))
  await store.keys.update(key.id, { rateLimitRpm: 7 })
  turns.push(await onAll((ring) => ring.find(key.id)?.rateLimitRpm === 7))
  await store.keys.pause(key.id)
  turns.push(await onAll((ring) => ring.find(key.id)?.pausedAt !== null))
  await store.keys.resume(key.id)
  turns.push(await onAll((ring) => ring.find(key.id)?.pausedAt === null))
  await store.keys.revoke(key.id)
  turns.push(await onAll((ring) => ring.find(key.id)?.revokedAt !== null))
  assert.ok(Math.max(...turns) < SECOND_TURNS, `took ${turns.join(', ')} turns`)
})

test('a key made a moment ago by another node is found before it is refused', async (t) => {
  const store = await openStore(t)
  const { keys } = await openNode(t, folder)
  // One of some: a call waits for a quarter of a second, in which a busy machine may not answer.
  for (let tries = 1; ; tries++) {
    const { key } = await store.keys.create(PLAIN_KEY)
    await keys.ring.awaitKey(key.id)
    const found = keys.ring.find(key.id)
    if (found === undefined && tries < 20) continue
    assert.equal(found?.secretHash, key.secretHash)
    return
  }
})

test('a node works on while the database is away, and follows it again afterwards', async (t) => {
  const store = await openStore(t)
  const { key } = await store.keys.create(PLAIN_KEY)
  const { keys } = await openNode(t, folder)
  await withoutServer(async () => {
    await until(() => keys.ring.fault !== null)
    assert.equal(keys.ring.find(key.id)?.revokedAt, null)
    assert.equal(keys.ring.awaitKey('svc_k_unknown1'), null)
  })
  await store.keys.revoke(key.id)
  const turns = await until(() => keys.ring.find(key.id)?.revokedAt !== null)
  assert.ok(turns < SECOND_TURNS, `took ${turns} turns`)
  assert.equal(keys.ring.fault, null)
})

test('a node that starts without the database takes its copy, then what the database says', async (t) => {
  const { store, dataDir, key, revoked } = await createCopied(t)
  const { ring } = await withoutServer(async () => {
    const { said, warned, keys } = await openNode(t, dataDir)
    const { ring } = keys
    assert.deepEqual(ring.find(key.id)?.allowedModels, ['some/*'])
    assert.notEqual(ring.find(revoked.id)?.revokedAt, null)
    assert.match(ring.fault ?? '', /cannot be reached; keys are a copy of 20\d\d-/)
    assert.match(said.join(), /settings store at \S+ cannot be used.*taken from the copy/)
    assert.match(warned.join(), /"ageSeconds":\d+.*keys are a copy of 20\d\d-/)
    return keys
  })
  await store.keys.revoke(key.id)
  await until(() => ring.fault === null)
  await until(() => ring.find(key.id)?.revokedAt !== null)
})

test('keys of a copy that the database does not have are gone once it answers', async (t) => {
  const { dataDir, key } = await createCopied(t)
  const place = path.join(dataDir, 'keys-copy.json')
  const other = await createCopied(t)
  const foreign = { ...key, id: 'svc_k_fromelsewhere' }
  const writer = new CopyWriter({
    dataDir,
    keys: { readChanges: async () => ({ revision: 1, keys: [foreign] }) },
    clock,
    warn: () => assert.fail('it is written'),
  })
  await writer.close()
  assert.match(readFileSync(place, 'utf8'), /fromelsewhere/)
  const { ring } = await withoutServer(async () => {
    const { keys } = await openNode(t, dataDir)
    assert.equal(keys.ring.find(foreign.id)?.name, key.name)
    return keys
  })
  await until(() => ring.find(other.key.id) !== undefined)
  assert.equal(ring.find(foreign.id), undefined)
})

test('a damaged copy is refused in words, and the database waited for', async (t) => {
  const { dataDir, key } = await createCopied(t)
  const place = path.join(dataDir, 'keys-copy.json')
  writeFileSync(place, readFileSync(place, 'utf8').replace('"revokedAt":', '"revokedAT":'))
  const said: string[] = []
  const { opening } = await withoutServer(async () => {
    const opening = openNode(t, dataDir, said)
    await until(() => said.length === 2)
    assert.match(said[0] as string, /keys-copy\.json is not used: it is damaged/)
    assert.match(said[1] as string, /It is tried again until it is free/)
    return { opening }
  })
  const { keys } = await opening
  assert.equal(keys.ring.find(key.id)?.id, key.id)
})
