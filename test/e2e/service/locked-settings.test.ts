import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { openSettingsStore } from '../../../src/store/open-store.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { createEnvironment } from '../../fakes/program.ts'

const WEIR = fileURLToPath(new URL('../../../bin/weir', import.meta.url))

/** Resolves when the stream has said it; fails when it ends before. */
async function untilSaid(stream: Readable, text: string): Promise<void> {
  let said = ''
  for await (const chunk of stream) {
    said += String(chunk)
    if (said.includes(text)) return
  }
  throw new Error(`it never said ${text}: ${said}`)
}

test('a start that finds the settings store locked says so, waits, and is ready once it is free', async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'weir-e2e-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  await (await openSettingsStore({ dataDir: cwd, clock: systemClock })).close()
  const locker = new DatabaseSync(join(cwd, 'settings.db'))
  locker.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const settings = { DATA_DIR: cwd, PROXY_PORT: '0', API_PORT: '0', PROXY_WORKERS: '1' }
  const child = spawn(process.execPath, [WEIR, 'start'], { cwd, env: createEnvironment(settings) })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await untilSaid(child.stderr, 'database is locked. It is tried again until it is free.')
  locker.close()
  await untilSaid(child.stdout, 'is ready')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})
