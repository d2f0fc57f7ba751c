// The demo's company beside a Weir on PostgreSQL that it did not start, as in deploy/compose.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { RequestRow } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openTestDatabase } from '../fakes/postgres/test-database.ts'
import { createEnvironment, openProgram, runWeir } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'
import { findFreePort } from '../fakes/servers/free-port.ts'

const COMPANY = fileURLToPath(new URL('../../demo/company-at-work.ts', import.meta.url))
/** Only what hangs takes so long. */
const WAIT_MS_MAX = 90_000
const IDS = ['openai', 'anthropic', 'google', 'gateway', 'acme']

const closes: (() => unknown)[] = []
const context = { after: (close: () => unknown) => void closes.push(close) }
const root = mkdtempSync(path.join(tmpdir(), 'weir-company-'))
let url = ''
let company: ReturnType<typeof startCompany>
let program: Program

before(async () => {
  url = await openTestDatabase(context)
  const [proxyPort, port] = [await findFreePort(), await findFreePort()]
  const env = createEnvironment({ SETTINGS_URL: url, USAGE_URL: url })
  assert.equal((await runWeir(['migrate'], { cwd: root, env })).code, 0)
  company = startCompany('data', [`--proxy=http://127.0.0.1:${proxyPort}`, `--port=${port}`])
  // Before the first start of one that has an API: that makes the code of the first administrator.
  await until(() => company.said().includes('Sign in to the console'))
  const providers = IDS.map((id) => [
    `PROVIDER_${id.toUpperCase()}_URL`,
    `http://127.0.0.1:${port}/${id}`,
  ])
  program = await openProgram({
    settings: {
      ...Object.fromEntries(providers),
      SETTINGS_URL: url,
      USAGE_URL: url,
      PROXY_PORT: `${proxyPort}`,
      PROVIDER_ACME_SHAPE: 'openai',
    },
  })
})

after(async () => {
  company.child.kill('SIGKILL')
  await program.close()
  for (const close of closes.toReversed()) await close()
  rmSync(root, { recursive: true, force: true })
})

function startCompany(dataDir: string, words: readonly string[]) {
  const env = createEnvironment({
    SETTINGS_URL: url,
    USAGE_URL: url,
    DATA_DIR: path.join(root, dataDir),
  })
  const child = spawn(process.execPath, [COMPANY, '--calls=600', ...words], { cwd: root, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  }
  return { child, ended: once(child, 'exit'), said: () => said }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const untilMs = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    assert.equal(company.child.exitCode, null, company.said())
    assert.ok(systemClock.monotonic() < untilMs, company.said())
    await pause(100)
  }
}

test('its calls come through the proxy and are answered by its providers', async () => {
  const beganAt = systemClock.now()
  await until(async () => {
    const { out } = await program.weir('requests', '--limit', '50', '--json')
    const lines = out.split('\n').filter((line) => line !== '')
    const live = lines
      .map((line) => JSON.parse(line) as RequestRow)
      .filter(({ status, started_at: at }) => status === 'delivered' && Date.parse(at) > beganAt)
    return new Set(live.map(({ provider }) => provider)).size >= 2
  })
})

test('its year is in the database', async () => {
  const words = ['usage', '--dimension', 'dim', '--dim-key', 'team', '--window', 'month']
  const month = new Date(systemClock.now() - 60 * 86_400_000).toISOString().slice(0, 7)
  const { rows } = await program.json<{ rows: { label: string }[] }>(...words, '--month', month)
  assert.ok(rows.some(({ label }) => label === 'platform'))
})

test('a company whose notes are gone does not write into a database that has users', async () => {
  const second = startCompany('other-data', ['--port=0'])
  assert.deepEqual(await second.ended, [1, null])
  assert.match(second.said(), /an administrator whom no demo made.\nGive the demo an empty/)
})

test('SIGTERM ends it', async () => {
  company.child.kill('SIGTERM')
  assert.deepEqual(await company.ended, [0, null])
})
