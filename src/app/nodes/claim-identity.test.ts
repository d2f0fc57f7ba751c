import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import pg from 'pg'

import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { createTestConfig } from '../../../test/fakes/role-process.ts'
import { createNodeReport } from '../../../test/nodes/known-nodes.ts'
import { WeirError } from '../../core/weir-error.ts'
import { migrateStores } from '../../store/databases.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { claimNode } from './claim-identity.ts'
import { openNodePlace } from './own-node.ts'

async function openScene(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'weir-claim-'))
  t.after(() => rmSync(root, { recursive: true }))
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const open = (name: string) => {
    const config = createTestConfig({
      WEIR_DATA_DIR: join(root, name),
      WEIR_SETTINGS_URL: url,
      WEIR_PROXY_PORT: '0',
    })
    return { config, place: openNodePlace(config, 'proxy') }
  }
  const said: string[] = []
  const claim = ({ config, place }: ReturnType<typeof open>) =>
    claimNode(config, place, {
      say: (line) => said.push(line),
      signal: AbortSignal.timeout(60_000),
    })
  return { root, url, open, claim, said }
}

test('a node that was killed starts again at once on its data directory', async (t) => {
  const { open, claim, said } = await openScene(t)
  const first = open('data')
  assert.equal(await claim(first), true)
  first.place.close()
  const second = open('data')
  t.after(() => second.place.close())
  assert.notEqual(second.place.claim.run, first.place.claim.run)
  assert.equal(await claim(second), true)
  assert.deepEqual(said, [])
})

test('a copy of a data directory does not start while the first runs, and says what to do', async (t) => {
  const { root, url, open, claim, said } = await openScene(t)
  const first = open('data')
  t.after(() => first.place.close())
  assert.equal(await claim(first), true)
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  const { node, claim: own } = first.place
  const report = createNodeReport({ ...node, ...own })
  const beating = setInterval(() => void nodes.beat(report).catch(() => {}), 100)
  t.after(() => clearInterval(beating))
  cpSync(join(root, 'data'), join(root, 'copy'), { recursive: true })
  const copy = open('copy')
  assert.equal(copy.place.node.id, node.id)
  await assert.rejects(claim(copy), (error: unknown) => {
    assert.ok(error instanceof WeirError)
    assert.equal(error.code, 'data_dir_in_use')
    assert.match(
      error.message,
      /^The node \S+ runs on \S+: \S+copy is a copy of its data directory/,
    )
    assert.match(error.hint ?? '', /remove node-id and journal from \S+copy/)
    return true
  })
  assert.equal(said.length, 1)
  // With an id of its own it is another node.
  rmSync(join(root, 'copy', 'node-id'))
  copy.place.close()
  const other = open('copy')
  t.after(() => other.place.close())
  assert.equal(await claim(other), true)
})

test('a data directory that was moved to another machine starts once the first is silent', async (t) => {
  const { root, url, open, claim, said } = await openScene(t)
  const first = open('data')
  assert.equal(await claim(first), true)
  first.place.close()
  cpSync(join(root, 'data'), join(root, 'moved'), { recursive: true })
  const moved = open('moved')
  t.after(() => moved.place.close())
  const claiming = claim(moved)
  while (said.length === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.match(said[0] ?? '', /it is followed here 10 s after its last heartbeat/)
  const client = new pg.Client(url)
  await client.connect()
  await client.query('UPDATE nodes SET seen_at = seen_at - 10001')
  await client.end()
  assert.equal(await claiming, true)
})

test('without its database a node starts, and has its id later', async (t) => {
  const { open, claim } = await openScene(t)
  const { config, place } = open('data')
  t.after(() => place.close())
  const settings = { ...config.settings, url: 'postgres://weir@127.0.0.1:1/weir' }
  assert.equal(await claim({ config: { ...config, settings }, place }), false)
})
