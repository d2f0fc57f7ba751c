// Keys in real processes: new ones, and those of a node that starts while its database is away,
// from the copies on its disk.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { PLAIN_KEY } from '../../test/contracts/settings-scene.ts'
import { createState } from '../../test/fakes/budget-states.ts'
import { rawCall } from '../../test/fakes/callers/raw-client.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'
import type { Config } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import { createKeyCredential, formatCredential } from '../core/ids.ts'
import { openSettingsStore } from '../store/open-store.ts'
import { bindPort } from './ports.ts'
import { createProcessStarter } from './role-process.ts'
import type { RoleProcess } from './role-process.ts'
import { writeBudgetCopy } from './settings-copy/budget-copy.ts'
import { writeKeyCopy } from './settings-copy/key-copy.ts'

/** Nothing listens there. */
const AWAY = { url: 'postgres://weir:secret@127.0.0.1:1/weir' }

function createDataDir(t: TestContext): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-away-'))
  t.after(() => rmSync(dataDir, { recursive: true, maxRetries: 3 }))
  return dataDir
}

interface Started {
  readonly role: 'proxy' | 'ledger'
  readonly dataDir: string
  readonly settings?: Config['settings']
}

async function openRole(t: TestContext, { role, dataDir, settings = {} }: Started) {
  const bound = await bindPort({ host: '127.0.0.1', port: 0, setting: 'WEIR_PROXY' })
  const said: string[] = []
  const start = createProcessStarter({
    ports: { proxy: bound, api: bound },
    node: { id: 'test', role: 'all' },
    say: (line) => void said.push(line),
  })
  const received = Promise.withResolvers<BudgetReport>()
  const config = { ...createTestConfig(), dataDir, settings }
  const process: RoleProcess = start(role, config, {
    reported: () => {},
    budgets: received.resolve,
    limiterMessages: () => {},
    ledgerFault: () => {},
    stand: () => {},
    answered: () => {},
  })
  t.after(async () => {
    process.kill()
    await process.ended
    bound.close()
  })
  return { process, port: bound.port, said, budgets: received.promise }
}

function ask(port: number, target: string, credential?: string): Promise<string> {
  const key = credential === undefined ? '' : `X-SVC-API-Key: ${credential}\r\n`
  return rawCall(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${key}\r\n`)
}

test('a key works from the moment it was made, and its secret from when it was rotated', async (t) => {
  const dataDir = createDataDir(t)
  const store = await openSettingsStore({ dataDir, clock: systemClock })
  t.after(() => store.close())
  const { process, port } = await openRole(t, { role: 'proxy', dataDir })
  assert.deepEqual(await process.started, { kind: 'ready' })
  for (let count = 0; count < 2; count++) {
    const settings = { ...PLAIN_KEY, allowedProviders: ['mistral'] }
    const { key, credential } = await store.keys.create(settings)
    // The answer of a key that is known, from a call that goes nowhere.
    const known = /X-SVC-Error: provider_not_allowed/
    assert.match(await ask(port, '/v1/openai/v1/models', credential), known)
    const rotated = await store.keys.rotate(key.id)
    assert.match(await ask(port, '/v1/openai/v1/models', rotated?.credential), known)
  }
})

test('a worker serves from the copy, and says so without being unready', async (t) => {
  const dataDir = createDataDir(t)
  const good = createKeyCredential()
  const revoked = createKeyCredential()
  const paused = createKeyCredential()
  const keys = [
    createTestKey(good, { allowedProviders: ['mistral'] }),
    createTestKey(revoked, { revokedAt: 1 }),
    createTestKey(paused, { pausedAt: 1 }),
  ]
  await writeKeyCopy(dataDir, keys)
  const { process, port, said } = await openRole(t, { role: 'proxy', dataDir, settings: AWAY })
  assert.deepEqual(await process.started, { kind: 'ready' })
  assert.match(said.join(), /127\.0\.0\.1:1\/weir cannot be used[^]*taken from the copy/)
  const ready = await ask(port, '/readyz')
  assert.match(
    ready,
    /^HTTP\/1\.1 200 [^]*"status":"ok","warning":"[^"]*keys are a copy of 20\d\d-/,
  )
  const answers = [
    [good, 'provider_not_allowed'],
    [revoked, 'revoked_api_key'],
    [paused, 'key_paused'],
    [createKeyCredential(), 'invalid_api_key'],
  ] as const
  for (const [credential, code] of answers) {
    const answer = await ask(port, '/v1/openai/v1/models', formatCredential(credential))
    assert.match(answer, new RegExp(`X-SVC-Error: ${code}`))
  }
})

test('a ledger reports blocking budgets as it last did, until its store answers', async (t) => {
  const dataDir = createDataDir(t)
  const report = { states: [createState({ spent: 10n ** 12n })], completeUntil: 1234 }
  await writeBudgetCopy(dataDir, report)
  const { budgets, said } = await openRole(t, { role: 'ledger', dataDir, settings: AWAY })
  assert.deepEqual(await budgets, report)
  assert.match(said.join(), /Blocking budgets are a copy of 20\d\d-/)
})
