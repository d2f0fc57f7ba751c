import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { createCommandLine } from '../../test/fakes/command-line.ts'

interface Report {
  readonly ok: boolean
  readonly checks: readonly { check: string; ok: boolean; text: string; remedy: string | null }[]
}

test('finds nothing wrong with a fresh data directory', async (t) => {
  const { json } = createCommandLine(t)
  const report = await json<Report>('doctor')
  assert.equal(report.ok, true)
  assert.deepEqual(
    report.checks.map((finding) => finding.check),
    ['configuration', 'data directory', 'disk', 'settings', 'usage', 'journal', 'clock'],
  )
})

test('names a damaged store with its remedy, and exits with 1', async (t) => {
  const { weir, dataDir } = createCommandLine(t)
  mkdirSync(dataDir)
  writeFileSync(
    path.join(dataDir, 'settings.db'),
    'this is no database, whatever its name says '.repeat(99),
  )
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}settings .*\n +→ .+/)
  assert.match(out, /ok +usage/)
})

test('names a damaged journal line', async (t) => {
  const { weir, dataDir } = createCommandLine(t)
  const dir = path.join(dataDir, 'journal', 'w0')
  mkdirSync(dir, { recursive: true })
  chmodSync(dataDir, 0o700)
  writeFileSync(path.join(dir, '0000000000000001.jsonl'), '00000000 {"n":1,"k":"start"}\n')
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}journal .*1 lines are damaged/)
})

test('reports a clock that was never set', async (t) => {
  const { weir, clock } = createCommandLine(t)
  clock.nowMs = 0
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}clock .*1970/)
})
