import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createTestConfig } from '../../test/fakes/role-process.ts'
import { bindPort, toUrl } from './ports.ts'
import { createProcessStarter } from './role-process.ts'
import type { RoleProcess } from './role-process.ts'

async function openApi(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-api-role-'))
  const bound = await bindPort({ host: '127.0.0.1', port: 0, setting: 'WEIR_API' })
  const start = createProcessStarter({ proxy: bound, api: bound }, () => {})
  const api: RoleProcess = start(
    'api',
    { ...createTestConfig(), dataDir },
    {
      reported: () => {},
      budgets: () => {},
      limiterMessages: () => {},
      ledgerFault: () => {},
    },
  )
  t.after(async () => {
    await api.end({ timeoutMs: 5000, idleMs: 0 })
    bound.close()
    rmSync(dataDir, { recursive: true })
  })
  const outcome = await api.started
  assert.deepEqual(outcome, { kind: 'ready' })
  return { api, url: toUrl(bound) }
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

const UNTIL_MS_MAX = 20_000

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + UNTIL_MS_MAX
  while (!(await isSo())) assert.ok(performance.now() < giveUpAt, 'It never came to be.')
}
