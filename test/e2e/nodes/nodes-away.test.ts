// Nodes that start while their database is away, with real processes: a proxy is ready, an API says
// what is wrong, and both work on once it is there.

import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../../src/core/clock.ts'
import { openPostgresServer } from '../../fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../../fakes/postgres/test-database.ts'
import { createEnvironment, openProgram, runWeir } from '../../fakes/program.ts'

const WAIT_MS_MAX = 120_000

interface Readiness {
  readonly status: string
  readonly warnings?: readonly string[]
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < endsAt, 'it never came to be')
    await pause(50)
  }
}

test('nodes start while the database is away, and go on by themselves once it is back', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-away-'))
  t.after(() => rmSync(folder, { recursive: true, maxRetries: 5 }))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const [programs = assert.fail()] = listPostgresPrograms()
  const place = { bin: programs.bin, folder: join(folder, 'postgres') }
  const first = await openPostgresServer(place)
  // At the end the database is away again, and a proxy waits for it so long to store its journal.
  const fixed = { PROXY_WORKERS: '1', SHUTDOWN_DRAIN_SECONDS: '1' }
  const settings = { SETTINGS_URL: first.url, ...fixed }
  const env = createEnvironment({ ...settings, DATA_DIR: join(folder, 'none') })
  const weir = (...words: string[]) => runWeir(words, { cwd: folder, env })
  assert.equal((await weir('migrate')).code, 0)
  // A node that was never there has no keys to work with.
  const proxy = await openProgram({ command: 'proxy', settings })
  t.after(() => proxy.close())
  await until(async () => existsSync(join(proxy.dataDir, 'keys-copy.json')))
  assert.equal(await proxy.stop(), 0)
  await first.close()

  await proxy.restart()
  const api = await openProgram({ command: 'api', settings })
  t.after(() => api.close())
  const readProxy = async (): Promise<Readiness> => {
    const response = await fetch(`${proxy.addresses.status}/readyz`)
    assert.equal(response.status, 200, 'callers are not taken away from it')
    return (await response.json()) as Readiness
  }
  const readApi = () => fetch(`${api.addresses.api}/readyz`)
  const isAway = (text: string): boolean => text.includes('cannot be reached')
  await until(async () => (await readProxy()).warnings?.some(isAway) === true)
  const refused = await fetch(`${api.addresses.api}/v1/usage`)
  assert.equal(refused.status, 503)
  assert.match(await refused.text(), /The database cannot be reached now/)
  assert.equal((await fetch(`${api.addresses.api}/healthz`)).status, 200)

  const second = await openPostgresServer({ ...place, port: first.port })
  t.after(() => second.close())
  await until(async () => (await readApi()).status === 200)
  await until(async () => (await readProxy()).warnings === undefined)
  // Its heartbeats begin again a moment after it is ready.
  await until(async () => {
    const { nodes } = JSON.parse((await weir('nodes', '--json')).out) as {
      nodes: readonly { role: string; state: string }[]
    }
    return nodes.map(({ role, state }) => `${role} ${state}`).join() === 'api running,proxy running'
  })

  await second.kill()
  await until(async () => (await readApi()).status === 503)
  await until(async () => (await readProxy()).warnings !== undefined)
})
