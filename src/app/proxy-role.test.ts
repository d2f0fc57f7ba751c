// The processes of a node that starts while its database is away, from the copies on its disk.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createState } from '../../test/fakes/budget-states.ts'
import { rawCall } from '../../test/fakes/callers/raw-client.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import { createKeyCredential, formatCredential } from '../core/ids.ts'
import type { Credential } from '../core/ids.ts'
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

async function openRole(t: TestContext, role: 'proxy' | 'ledger', dataDir: string) {
  const bound = await bindPort({ host: '127.0.0.1', port: 0, setting: 'WEIR_PROXY' })
  const said: string[] = []
  const start = createProcessStarter({ proxy: bound, api: bound }, (line) => void said.push(line))
  const received = Promise.withResolvers<BudgetReport>()
  const config = { ...createTestConfig(), dataDir, settings: AWAY }
  const process: RoleProcess = start(role, config, {
    reported: () => {},
    budgets: received.resolve,
    limiterMessages: () => {},
    ledgerFault: () => {},
  })
  t.after(async () => {
    process.kill()
    await process.ended
    bound.close()
  })
  return { process, port: bound.port, said, budgets: received.promise }
}

test('a worker serves from the copy, and says so without being unready', async (t) => {
  const dataDir = createDataDir(t)
  const [good, revoked] = [createKeyCredential(), createKeyCredential()]
  const keys = [
    createTestKey(good, { allowedProviders: ['mistral'] }),
    createTestKey(revoked, { revokedAt: 1 }),
  ]
  await writeKeyCopy(dataDir, keys)
  const { process, port, said } = await openRole(t, 'proxy', dataDir)
  assert.deepEqual(await process.started, { kind: 'ready' })
  assert.match(said.join(), /127\.0\.0\.1:1\/weir cannot be used[^]*taken from the copy/)
  const ask = (target: string, credential?: Credential): Promise<string> => {
    const key = credential && `X-SVC-API-Key: ${formatCredential(credential)}\r\n`
    const lines = `Host: a\r\nConnection: close\r\n${key ?? ''}`
    return rawCall(port, `GET ${target} HTTP/1.1\r\n${lines}\r\n`)
  }
  const ready = await ask('/readyz')
  assert.match(
    ready,
    /^HTTP\/1\.1 200 [^]*"status":"ok","warning":"[^"]*keys are a copy of 20\d\d-/,
  )
  assert.match(await ask('/v1/openai/v1/models', good), /X-SVC-Error: provider_not_allowed/)
  assert.match(await ask('/v1/openai/v1/models', revoked), /X-SVC-Error: revoked_api_key/)
  const unknown = await ask('/v1/openai/v1/models', createKeyCredential())
  assert.match(unknown, /X-SVC-Error: invalid_api_key/)
})

test('a ledger reports blocking budgets as it last did, until its store answers', async (t) => {
  const dataDir = createDataDir(t)
  const report = { states: [createState({ spent: 10n ** 12n })], completeUntil: 1234 }
  await writeBudgetCopy(dataDir, report)
  const { budgets, said } = await openRole(t, 'ledger', dataDir)
  assert.deepEqual(await budgets, report)
  assert.match(said.join(), /Blocking budgets are a copy of 20\d\d-/)
})
