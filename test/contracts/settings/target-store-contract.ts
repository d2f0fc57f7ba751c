// What every store of the targets of alerts must do.

import assert from 'node:assert/strict'
import { PLAIN_BUDGET, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

export function targetStoreContract(run: Run): void {
  run('a created target is kept; a webhook alone gets a secret', async ({ store, reopen }) => {
    const { id: budgetId } = await store.budgets.create(PLAIN_BUDGET)
    const asked = [
      { kind: 'webhook', address: 'https://example.com/hook?a=1', budgetId },
      { kind: 'webhook', address: 'https://example.com/hook?a=1', budgetId },
      { kind: 'slack', address: 'https://hooks.slack.com/services/a', budgetId },
      { kind: 'email', address: 'ada@example.com', budgetId: null },
    ] as const
    const targets = []
    for (const each of asked) {
      const target = await store.targets.create(each)
      targets.push(target)
      const { id, secret, ...rest } = target
      assert.match(id, /^tgt_[0-9a-f]{16}$/)
      assert.deepEqual(rest, { ...each, createdAt: START_MS })
      assert.equal(secret !== null, each.kind === 'webhook')
    }
    const secrets = targets.map(({ secret }) => secret).filter((secret) => secret !== null)
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
      assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 24)
    }
    assert.notEqual(secrets[0], secrets[1])
    const other = await reopen()
    assert.deepEqual(await other.targets.list(), targets)
    assert.deepEqual(await other.targets.find(targets[0]?.id ?? ''), targets[0])
  })

  run('a target of a budget that does not exist is refused', async ({ store }) => {
    const budgetId = 'bud_0000000000000000'
    const target = { kind: 'slack', address: 'https://hooks.slack.com/a', budgetId } as const
    await assert.rejects(store.targets.create(target), { code: 'not_found', message: /bud_0/ })
    assert.deepEqual(await store.targets.list(), [])
  })

  run('a removed target is gone, and one that is not there is null', async ({ store }) => {
    const target = { kind: 'email', address: 'ada@example.com', budgetId: null } as const
    const first = await store.targets.create(target)
    const second = await store.targets.create(target)
    assert.deepEqual(await store.targets.remove(first.id), first)
    assert.deepEqual(await store.targets.list(), [second])
    assert.equal(await store.targets.find(first.id), null)
    assert.equal(await store.targets.remove(first.id), null)
  })
}
