// npm run demo as a person runs it, with a small past: it says where to look, the calls arrive, and
// it leaves nothing behind.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { openDemoData } from '../../demo/demo-data.ts'
import type { RequestRow } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { listDescendants, listProcesses } from '../fakes/processes.ts'
import { createEnvironment } from '../fakes/program.ts'

const DEMO = fileURLToPath(new URL('../../demo/demo.ts', import.meta.url))
const WAIT_MS_MAX = 120_000

const root = mkdtempSync(path.join(tmpdir(), 'weir-demo-'))
const dataDir = path.join(root, 'data')
const words = [DEMO, '--data', dataDir, '--calls', '1500', '--port', '0']
const child = spawn(process.execPath, words, {
  cwd: root,
  env: createEnvironment({}),
  stdio: ['ignore', 'pipe', 'pipe'],
})
const ended = once(child, 'exit')
const beganAt = systemClock.now()
let said = ''
child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))

/** A token may ask for the log once a second. */
const ASK_EVERY_MS = 1500

async function until<Found>(
  look: () => Promise<Found | null> | Found | null,
  pauseMs = 20,
  what = 'it',
): Promise<Found> {
  const untilMs = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const found = await look()
    if (found !== null) return found
    const isOver = systemClock.monotonic() > untilMs || child.exitCode !== null
    assert.ok(!isOver, `${what} did not happen:\n${said}`)
    await pause(pauseMs)
  }
}

function find(pattern: RegExp): string {
  const found = pattern.exec(said)?.[1]
  assert.ok(found !== undefined, `${pattern} in:\n${said}`)
  return found
}

async function ask<Answer>(rest: string): Promise<Answer> {
  const api = find(/Console +(http:\S+)\//)
  const headers = { authorization: `Bearer ${find(/Bearer (svc_agt_[^"]+)/)}` }
  const response = await fetch(`${api}/v1/${rest}`, { headers })
  assert.equal(response.status, 200)
  return (await response.json()) as Answer
}

before(() => until(() => (said.includes('Ctrl-C stops everything') ? true : null)))

after(() => {
  child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

test('calls of several providers arrive in the request log, with their keys and dimensions', async () => {
  const rows = await until(async () => {
    const page = await ask<{ rows: RequestRow[] }>('requests?limit=50')
    const live = page.rows.filter(({ started_at: at }) => Date.parse(at) >= beganAt)
    return new Set(live.map(({ provider }) => provider)).size >= 3 ? live : null
  }, ASK_EVERY_MS)
  assert.ok(
    rows.some(({ status, cost_usd: cost }) => status === 'delivered' && Number(cost ?? 0) > 0),
  )
  assert.ok(rows.some(({ dims }) => dims['team'] !== undefined))
})

test('the usage query knows the company and its year', async () => {
  const month = new Date(beganAt - 60 * 86_400_000).toISOString().slice(0, 7)
  const search = `usage?metric=cost_usd&window=month&month=${month}&dimension=dim&dim_key=team`
  const { rows } = await ask<{ rows: { label: string; value: number }[] }>(search)
  assert.ok(rows.some(({ label, value }) => label === 'platform' && value > 0))
})

test('the call that it prints works as it stands', async () => {
  const url = find(/curl (\S+)/)
  const headers = {
    'x-svc-api-key': find(/X-SVC-API-Key: (svc_k_[^"]+)/),
    'content-type': 'application/json',
  }
  const body = find(/-d '(.+)'/)
  // One call in forty is refused by the simulation.
  const response = await until(async () => {
    const answer = await fetch(url, { method: 'POST', headers, body })
    return answer.status === 200 ? answer : null
  })
  const { usage } = (await response.json()) as { usage: { total_tokens: number } }
  assert.ok(usage.total_tokens > 0)
})

test('a line of the console works in the shell that it prints', async () => {
  const settings = find(/^ {2}(export WEIR_DATA_DIR=.+)$/m)
  const printed = find(/^ {2}(weir usage .+)$/m)
  // As Explore has them to copy: the command line, and curl with the token.
  const copied =
    'weir usage --metric cost_usd --dimension api_key --window month_to_date --limit 20'
  const search = 'metric=cost_usd&window=month_to_date&dimension=api_key'
  const curl = `curl -fsS -H "Authorization: Bearer $WEIR_TOKEN" "${find(/Console +(http:\S+)\//)}/v1/usage?${search}"`
  for (const [line, expected] of [
    [printed, /^(?:support|search|platform) /m],
    [copied, /^svc_k_\w{16} +[A-Z][a-z]+ [a-z]+ /m],
    [curl, /"label":"svc_k_/],
  ] as const) {
    const env = createEnvironment({})
    const script = `${settings}\n${line}`
    // On the first of a month there is only what was called since then.
    const show = async (): Promise<true | null> => {
      const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: root, env })
      return expected.test(stdout) || null
    }
    await until(show, ASK_EVERY_MS, `${expected} in ${line}`)
  }
})

test('all users that it names can sign in', async () => {
  const api = find(/Console +(http:\S+)\//)
  const named = [...said.matchAll(/(\S+@acme\.example) +(weir-demo-\S+) +\S/g)]
  assert.equal(named.length, 4)
  for (const [, email = '', password = ''] of named) {
    const response = await fetch(`${api}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password }),
    })
    assert.equal(response.status, 201, email)
  }
})

test('a second demo on the same data is refused, and removes nothing', async () => {
  const second = { calls: 10, clock: systemClock, hookUrl: '', onProgress: () => {} }
  const { signal } = new AbortController()
  for (const isFresh of [false, true]) {
    const opening = openDemoData({ ...second, dataDir, isFresh, signal })
    await assert.rejects(opening, /Another weir start is running/)
  }
  assert.ok(existsSync(path.join(dataDir, 'usage.db')))
})

test('SIGTERM ends it and every process that it started', async () => {
  const pids = listDescendants(child.pid as number)
  assert.ok(pids.length >= 3)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  const left = listProcesses().filter(({ pid }) => pids.includes(pid))
  assert.deepEqual(left, [])
})
