// A person who may not sign in any more, with real processes on a PostgreSQL that goes away: their
// personal keys are refused by every node. On one: ../calls/people.test.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { openPostgresServer } from '../../fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../../fakes/postgres/test-database.ts'
import { createEnvironment, openProgram, runWeir } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { openFakeUpstream } from '../../fakes/upstreams/upstream.ts'
import { LONG_ONLY } from '../../long-form.ts'
import { askAs, callWith, makePerson, until, untilPassed, untilRefused } from '../people.ts'
import type { CallerKey } from '../scene.ts'

const PROXIES = 3
const ROUNDS = 20
const REFUSED_MS_MAX = 1000

/** What the proxy would start with while its database is away. */
function isCopiedAsPaused({ dataDir }: Program, { id }: CallerKey): boolean {
  const text = readFileSync(join(dataDir, 'keys-copy.json'), 'utf8')
  const found = text.slice(text.indexOf(`"id":"${id}"`))
  return /"pausedAt":(\d+|null)/.exec(found)?.[1] !== 'null'
}

test(
  "a disabled person's keys are refused by three nodes within a second, and after a restart without the database",
  { skip: LONG_ONLY },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-people-'))
    t.after(() => rmSync(folder, { recursive: true, maxRetries: 5 }))
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o755)
    const [programs = assert.fail()] = listPostgresPrograms()
    const place = { bin: programs.bin, folder: join(folder, 'postgres') }
    const first = await openPostgresServer(place)
    t.after(() => first.close())
    const upstream = await openFakeUpstream()
    t.after(() => upstream.close())
    const settings = {
      SETTINGS_URL: first.url,
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
      PROXY_WORKERS: '1',
      SHUTDOWN_DRAIN_SECONDS: '1',
    }
    const env = createEnvironment({ ...settings, DATA_DIR: join(folder, 'none') })
    const json = async <Shape>(...words: readonly string[]): Promise<Shape> => {
      const { code, out, err } = await runWeir([...words, '--json'], { cwd: folder, env })
      assert.equal(code, 0, err)
      return JSON.parse(out) as Shape
    }
    await json('migrate')
    const { personId, create, token } = await makePerson(json)
    const [key, service] = [
      await create(),
      await json<CallerKey>('keys', 'create', '--name', 'app'),
    ]
    const open = async (command: 'proxy' | 'api'): Promise<Program> => {
      const program = await openProgram({ command, settings })
      t.after(() => program.close())
      return program
    }
    const api = await open('api')
    const proxies: Program[] = []
    while (proxies.length < PROXIES) proxies.push(await open('proxy'))
    const onEach = <Result>(what: (proxy: string) => Promise<Result>): Promise<Result[]> =>
      Promise.all(proxies.map(({ addresses }) => what(addresses.proxy)))
    const disable = (isDisabled: boolean) =>
      askAs(api.addresses.api, token)('PATCH', `/v1/users/${personId}`, { is_disabled: isDisabled })

    for (let round = 0; round < ROUNDS; round += 1) {
      await onEach((proxy) => untilPassed(proxy, key.key))
      await disable(true)
      const tookMs = await onEach((proxy) => untilRefused(proxy, key.key))
      assert.ok(Math.max(...tookMs) < REFUSED_MS_MAX, `round ${round}: ${tookMs.join(' ')} ms`)
      if (round < ROUNDS - 1) await disable(false)
    }

    await until(() => proxies.every((proxy) => isCopiedAsPaused(proxy, key)))
    await first.close()
    for (const proxy of proxies) {
      proxy.signal('SIGKILL')
      await once(proxy.process, 'exit')
      await proxy.restart()
    }
    const refused = await onEach((proxy) => callWith(proxy, key.key))
    assert.deepEqual(new Set(refused), new Set(['key_paused']))
    assert.deepEqual(await onEach((proxy) => callWith(proxy, service.key)), ['200', '200', '200'])

    const second = await openPostgresServer({ ...place, port: first.port })
    t.after(() => second.close())
    await until(async () => (await fetch(`${api.addresses.api}/readyz`)).status === 200)
    await disable(false)
    await onEach((proxy) => untilPassed(proxy, key.key))
    // While their database is there.
    for (const program of [...proxies, api]) await program.stop()
  },
)
