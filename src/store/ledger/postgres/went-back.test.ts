// A database that is another than before, without what was last committed, under stores that go on:
// a failover to a replica that lagged, a restore.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ask, batchOf, createRecord, labels } from '../../../../test/contracts/usage-scene.ts'
import { openPastServer } from '../../../../test/fakes/postgres/past-server.ts'
import { migrateUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { writePatiently } from '../../../../test/fakes/postgres/write-patiently.ts'
import type { LedgerStore } from '../ledger-store.ts'
import { openPostgresLedger } from './store.ts'

async function openScene(context: TestContext) {
  const server = await openPastServer(context)
  await migrateUsage(server.url)
  const open = async (node: string): Promise<LedgerStore> => {
    const store = await openPostgresLedger({ url: server.url, owner: { node, journal: 'a' } })
    context.after(() => store.close())
    return store
  }
  return { server, one: await open('1'), two: await open('2') }
}

const call = (model: string, team: string) => createRecord({ model, dims: { team } })

test('no sum has another name after a failover to a replica that lacks the last commits', async (context) => {
  const { server, one, two } = await openScene(context)
  await writePatiently(one, batchOf(call('model-1', 'search')))
  await writePatiently(two, batchOf(call('model-1', 'search')))
  await server.save()
  const lost = [call('model-2', 'ads'), call('model-3', 'maps')]
  await writePatiently(one, batchOf(...lost))
  // The other node knows names that it has only read.
  await writePatiently(two, batchOf(call('model-3', 'ads')))
  await ask(two, { by: 'model' })
  await server.goBack()
  // Names get the numbers that other names had before.
  await writePatiently(two, batchOf(call('model-4', 'mail'), call('model-3', 'ads')))
  await writePatiently(one, batchOf(...lost, call('model-5', 'search')))
  for (const store of [one, two]) {
    const models = await ask(store, { by: 'model' })
    assert.deepEqual(labels(models), [
      ['model-1', 2000n],
      ['model-2', 1000n],
      ['model-3', 2000n],
      ['model-4', 1000n],
      ['model-5', 1000n],
    ])
    const teams = await ask(store, { by: 'dim', dimKey: 'team' })
    assert.deepEqual(labels(teams), [
      ['ads', 2000n],
      ['mail', 1000n],
      ['maps', 1000n],
      ['search', 3000n],
    ])
  }
  const report = await one.usage.upkeep.rebuildRollups({ isTrial: true })
  assert.deepEqual(report.examples, [])
})
