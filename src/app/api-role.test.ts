import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Config } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { openSettingsStore } from '../store/open-store.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import { bindPort, toUrl } from './ports.ts'
import { createProcessStarter } from './role-process.ts'
import type { RoleProcess } from './role-process.ts'

async function openApi(t: TestContext, change: Partial<Config> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-api-role-'))
  const bound = await bindPort({ host: '127.0.0.1', port: 0, setting: 'WEIR_API' })
  const start = createProcessStarter({
    ports: { proxy: bound, api: bound },
    node: { id: 'test', role: 'all' },
    say: () => {},
  })
  const api: RoleProcess = start(
    'api',
    { ...createTestConfig(), dataDir, ...change },
    {
      reported: () => {},
      budgets: () => {},
      limiterMessages: () => {},
      ledgerFault: () => {},
      stand: () => {},
      answered: () => {},
    },
  )
  t.after(async () => {
    await api.end({ timeoutMs: 5000, idleMs: 0 })
    bound.close()
    rmSync(dataDir, { recursive: true })
  })
  const outcome = await api.started
  assert.deepEqual(outcome, { kind: 'ready' })
  return { api, url: toUrl(bound), dataDir }
}

test('it is as ready as the ledger, and shows the figures that it was sent', async (t) => {
  const { api, url } = await openApi(t)
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).status === 200
  api.send({ kind: 'ledgerFault', fault: 'The usage store cannot be written.' })
  await until(async () => !(await isReady()))
  api.send({ kind: 'ledgerFault', fault: null })
  await until(isReady)
  api.send({ kind: 'metrics', samples: [{ metric: 'journalLines', labels: [], value: 42 }] })
  await until(async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return text.includes('\nweir_journal_lines_total 42\n')
  })
})

test('a target is judged as written for a token that may not learn what resolves', async (t) => {
  const { url, dataDir } = await openApi(t)
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const asked = { name: 'test', scopes: ['write:budgets'], teamId: null, expiresAt: null } as const
  const { credential } = await settings.tokens.create(asked)
  await settings.close()
  const add = async (host: string): Promise<number> => {
    const body = JSON.stringify({ kind: 'webhook', address: `http://${host}/` })
    const headers = { authorization: `Bearer ${credential}` }
    return (await fetch(`${url}/v1/targets`, { method: 'POST', headers, body })).status
  }
  assert.equal(await add('127.0.0.1'), 400)
  assert.equal(await add('db.internal'), 400)
  // The machine's own name resolves to an address inside.
  assert.equal(await add(hostname().split('.')[0] ?? ''), 201)
  assert.equal(await add('no-such-name.example'), 201)
})

test('it answers to its own address and to the hosts that the configuration names', async (t) => {
  const asked = createTestConfig().api
  const { url } = await openApi(t, {
    api: { ...asked, host: '10.0.0.5', allowedHosts: ' weir, weir.prod.svc ,,' },
  })
  for (const [host, status] of [
    ['10.0.0.5:7071', 200],
    ['weir:7071', 200],
    ['weir.prod.svc', 200],
    ['localhost', 200],
    ['weir.prod', 421],
    ['10.0.0.6', 421],
  ] as const) {
    const outgoing = request(`${url}/v1/info`, { headers: { host } }).end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    incoming.resume()
    assert.equal(incoming.statusCode, status, host)
  }
})

test('the clients of a proxy that the configuration trusts have limits of their own', async (t) => {
  const asked = createTestConfig().api
  const { url } = await openApi(t, { api: { ...asked, trustedProxies: '127.0.0.0/8, ::1' } })
  const attempt = async (address: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    const body = JSON.stringify({ code: 'made up', password: 'twelve letters' })
    return (await fetch(`${url}/v1/welcome`, { method: 'POST', headers, body })).status
  }
  for (let index = 0; index < 30; index++) assert.equal(await attempt('203.0.113.5'), 401)
  assert.equal(await attempt('203.0.113.5'), 429)
  assert.equal(await attempt('203.0.113.6'), 401)
  const text = await (await fetch(`${url}/metrics`)).text()
  assert.match(text, /^weir_sign_ins_total\{result="wrong"\} 31$/m)
  assert.match(text, /^weir_sign_ins_total\{result="wait"\} 1$/m)
})

const UNTIL_MS_MAX = 20_000

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + UNTIL_MS_MAX
  while (!(await isSo())) assert.ok(performance.now() < giveUpAt, 'It never came to be.')
}
