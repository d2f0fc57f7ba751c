// A rotation with a grace period, through the real program: both secrets work until the old one is
// ended, under the same key.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { createCommandLineAt } from '../fakes/command-line.ts'
import { openScene } from './scene.ts'
import type { CallerKey, Scene } from './scene.ts'

const KNOWN_MS_MAX = 20_000

async function call({ program }: Scene, key: string): Promise<number> {
  const url = `${program.addresses.proxy}/v1/openai/v1/models`
  const response = await fetch(url, { headers: { 'x-svc-api-key': key } })
  await response.arrayBuffer()
  return response.status
}

/** Workers receive a change one by one. */
async function until(scene: Scene, key: string, isRefused: boolean): Promise<void> {
  const deadline = systemClock.monotonic() + KNOWN_MS_MAX
  while (((await call(scene, key)) === 401) !== isRefused) {
    assert.ok(systemClock.monotonic() < deadline, `refused: ${!isRefused}`)
    await pause(20)
  }
}

test('the old secret works until its grace is ended', async (t) => {
  const scene = await openScene(t, { PROXY_WORKERS: '1' })
  const { dataDir } = scene.program
  const line = createCommandLineAt(dataDir, { nowMs: systemClock.now() })
  const old = scene.key
  const made = await line.json<CallerKey>('keys', 'rotate', old.id, '--grace', '24h')
  assert.equal(made.id, old.id)
  await until(scene, made.key, false)
  assert.notEqual(await call(scene, old.key), 401)
  await line.json('keys', 'rotate', old.id, '--end-grace')
  await until(scene, old.key, true)
  assert.notEqual(await call(scene, made.key), 401)
  const again = await line.json<CallerKey>('keys', 'rotate', old.id)
  await until(scene, made.key, true)
  await until(scene, again.key, false)
})
