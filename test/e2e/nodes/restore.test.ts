import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { openLedgerStore } from '../../../src/store/open-store.ts'
import { systemClock } from '../../../src/core/clock.ts'
import type { Completeness } from '../../../src/core/completeness.ts'
import type { Program } from '../../fakes/program.ts'
import { openScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

const WAIT_MS_MAX = 120_000
const MESSAGES = [{ role: 'user' as const, content: 'Where are rivers measured?' }]

async function call(scene: Scene, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await scene.sdk('openai').chat.completions.create({ model: 'gpt-4o', messages: MESSAGES })
  }
}

/** Waits until at least so many calls are on record, and returns how many are. */
async function countRecords({ dataDir }: Program, wanted: number): Promise<number> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const period = { grain: 'month', from: '2020-01', to: '2099-12' } as const
  const until = systemClock.monotonic() + WAIT_MS_MAX
  try {
    for (;;) {
      const [sum] = await store.usage.sum({ period, grouping: { by: 'total' }, keyId: null })
      const requests = sum?.requests ?? 0
      if (requests >= wanted) return requests
      if (systemClock.monotonic() > until) throw new Error(`${requests} of ${wanted} records`)
      await pause(20)
    }
  } finally {
    await store.close()
  }
}

async function readRecordFinding(program: Program): Promise<string | undefined> {
  const { out } = await program.weir('doctor', '--json')
  const { checks } = JSON.parse(out) as { checks: { check: string; text: string }[] }
  return checks.find(({ check }) => check === 'record')?.text
}

function describe(figures: Completeness): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name} ${figure}`)
    .join(', ')
}

test('a backup made beside traffic is restored, and the journals supply what it missed', async (t) => {
  const scene = await openScene(t)
  const { program } = scene
  const file = join(program.dataDir, '..', 'weir.tar')
  await call(scene, 2)
  await countRecords(program, 2)
  await program.json('backup', file)
  await call(scene, 3)
  await countRecords(program, 5)
  const refused = await program.weir('restore', file, '--force')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /data_dir_in_use/)

  await program.stop()
  await program.json('restore', file, '--force')
  await program.restart()
  await call(scene, 1)
  assert.equal(await countRecords(program, 6), 6)
  const all = describe({ forwarded: 6, recorded: 6, pending: 0, dead: 0, lost: 0 })
  assert.equal(await readRecordFinding(program), all)

  // As on another machine: the store's places in the journals are nowhere.
  await program.stop()
  rmSync(join(program.dataDir, 'journal'), { recursive: true })
  await program.json('restore', file, '--force')
  await program.restart()
  await call(scene, 2)
  assert.equal(await countRecords(program, 4), 4)
  const some = describe({ forwarded: 4, recorded: 4, pending: 0, dead: 0, lost: 0 })
  assert.equal(await readRecordFinding(program), some)
})
