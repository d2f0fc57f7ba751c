import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PLAIN_BUDGET, PLAIN_KEY } from '../../../test/contracts/settings-scene.ts'
import { loadConfig } from '../../config/config.ts'
import { openSqliteSettings } from '../../store/settings/sqlite/store.ts'
import { createKnownDims } from './known-dims.ts'

test('names of keys, budgets and the configuration are known, the same array until one changes', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'weir-known-dims-'))
  const time = { nowMs: 0 }
  const clock = { now: () => time.nowMs, monotonic: () => time.nowMs }
  const settings = await openSqliteSettings({ file: join(directory, 'settings.db'), clock })
  context.after(async () => {
    await settings.close()
    await rm(directory, { recursive: true })
  })
  const env = { WEIR_DIMS_FROM_BODY: 'metadata.user_id=user', WEIR_TELEMETRY_METRIC_DIMS: 'env' }
  const config = loadConfig({ env, cwd: directory })
  const { keys, budgets } = settings
  let fault: Error | null = null
  const readKeys: typeof keys.readChanges = async (revision) => {
    if (fault !== null) throw fault
    return keys.readChanges(revision)
  }
  const read = createKnownDims({ keys: { readChanges: readKeys }, budgets, config, clock })
  const look = (): Promise<readonly string[]> => {
    time.nowMs += 60_000
    return read()
  }
  assert.deepEqual(await look(), ['user', 'env'])
  const { key } = await keys.create({
    ...PLAIN_KEY,
    defaultDims: { app: 'x' },
    lockedDims: { team: 'search' },
    requiredDims: ['project'],
  })
  const scope = { kind: 'dim', key: 'cost-center', value: '7' } as const
  await budgets.create({ ...PLAIN_BUDGET, scope })
  const known = await look()
  assert.deepEqual(known.toSorted(), ['app', 'cost-center', 'env', 'project', 'team', 'user'])
  await keys.create(PLAIN_KEY)
  assert.equal(await look(), known)
  fault = new Error('locked')
  await keys.revoke(key.id)
  assert.equal(await look(), known)
  fault = null
  assert.deepEqual(await look(), ['user', 'env', 'cost-center'])
})
