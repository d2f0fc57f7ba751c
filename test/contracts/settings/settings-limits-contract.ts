// How many there can be of what is stored, on every engine. What is refused leaves nothing behind.

import assert from 'node:assert/strict'
import type { NewPriceRule } from '../../../src/core/price-rule.ts'
import { IMPORT_BYTES_MAX } from '../../../src/store/settings/price-store.ts'
import { ADA, BOB, listAudit, PLAIN_BUDGET, PLAIN_KEY, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const TOKEN = { name: 'reader', scopes: ['read:usage'], teamId: null, expiresAt: null } as const
const TARGET = { kind: 'slack', address: 'https://hooks.slack.com/a', budgetId: null } as const
const RULE: NewPriceRule = {
  provider: 'acme',
  model: 'big',
  tier: null,
  effectiveFrom: 0,
  price: { kind: 'multiplier', factor: '0.8' },
  note: null,
}

export function accessLimitsContract(run: Run): void {
  run(
    'a key beyond the limit is refused, and nothing is lost',
    async ({ store }) => {
      await store.keys.create(PLAIN_KEY)
      const second = await store.keys.create(PLAIN_KEY)
      await assert.rejects(store.keys.create(PLAIN_KEY), { code: 'invalid_argument' })
      assert.equal((await store.keys.list()).length, 2)
      assert.ok(await store.keys.rotate(second.key.id))
    },
    { keysMax: 2 },
  )

  run(
    'a token beyond the limit is refused',
    async ({ store }) => {
      await store.tokens.create(TOKEN)
      await assert.rejects(store.tokens.create(TOKEN), { code: 'invalid_argument' })
      assert.equal((await store.tokens.list()).length, 1)
    },
    { tokensMax: 1 },
  )

  run(
    'a user beyond the limit is refused, the setup code stays good, and who goes makes room',
    async ({ store }) => {
      const code = await store.setupCode.create()
      assert.ok(code)
      const bob = await store.users.create(BOB)
      const refused = { code: 'invalid_argument', message: /1 users/, hint: /Remove/ }
      await assert.rejects(store.users.create(ADA), refused)
      await assert.rejects(store.setupCode.redeem(code, ADA), refused)
      await store.users.remove(bob.id)
      assert.ok(await store.setupCode.redeem(code, ADA))
    },
    { usersMax: 1 },
  )

  run(
    'the oldest lines of the audit log make room, and numbers go on',
    async ({ store }) => {
      for (let count = 0; count < 5; count += 1) await store.keys.create(PLAIN_KEY)
      const numbersOf = async () => (await listAudit(store)).map(({ number }) => number)
      assert.deepEqual(await numbersOf(), [5, 4, 3])
      // Refused at the second target, when the first has its line already.
      const target = { kind: 'email', address: 'ada@example.com' } as const
      await assert.rejects(store.targets.createAll([target, target], null))
      await store.keys.create(PLAIN_KEY)
      assert.deepEqual(await numbersOf(), [6, 5, 4])
    },
    { auditLinesMax: 3, targetsMax: 1 },
  )
}

export function snapshotLimitsContract(run: Run): void {
  run(
    'snapshots beyond the limit push out the oldest',
    async ({ store }) => {
      const names = ['second', 'first', 'third', 'fourth']
      for (const [at, takenAt] of [2, 1, 5, 5].entries()) {
        const times = { takenAt, validUntil: START_MS + 20 - takenAt }
        // The younger they are, the sooner they end.
        await store.snapshots.put({ identity: names[at] ?? '', ...times, text: '' })
      }
      const found = await Promise.all(names.map((identity) => store.snapshots.find(identity)))
      assert.deepEqual(
        found.map((snapshot) => snapshot?.identity),
        [undefined, undefined, 'third', 'fourth'],
      )
      // One that is older than all others is answered, though there is no room to keep it.
      const old = { identity: 'old', takenAt: 0, validUntil: START_MS + 9, text: 'old' }
      assert.deepEqual(await store.snapshots.put(old), old)
    },
    { snapshotsMax: 2 },
  )
}

export function priceLimitsContract(run: Run): void {
  run(
    'a rule beyond the limit is refused, one in the place of another is not',
    async ({ store }) => {
      await store.prices.set(RULE)
      const refused = store.prices.set({ ...RULE, model: 'small' })
      await assert.rejects(refused, { code: 'invalid_argument', hint: /weir prices unset/ })
      const rule = await store.prices.set({ ...RULE, note: 'another' })
      assert.deepEqual((await store.prices.read()).rules, [rule])
    },
    { rulesMax: 1 },
  )

  run('an import beyond the limit is refused, and the one before stays', async ({ store }) => {
    const text = 'x'.repeat(IMPORT_BYTES_MAX)
    const imported = { version: 'v', publishedAt: 1, text, who: 'ada' }
    await store.prices.putImport(imported)
    const refused = store.prices.putImport({ ...imported, text: `${text}x` })
    await assert.rejects(refused, { code: 'invalid_argument', message: /16777217 bytes/ })
    assert.equal((await store.prices.read()).imported?.text.length, IMPORT_BYTES_MAX)
  })
}

export function budgetLimitsContract(run: Run): void {
  run(
    'a budget beyond the limit is refused; one that is removed makes room',
    async ({ store }) => {
      const first = await store.budgets.create(PLAIN_BUDGET)
      await store.budgets.create(PLAIN_BUDGET)
      const seen = await store.budgets.readChanges(-1)
      const refused = { code: 'invalid_argument', message: /2 budgets/, hint: /budgets delete/ }
      await assert.rejects(store.budgets.create(PLAIN_BUDGET), refused)
      assert.deepEqual(await store.budgets.readChanges(-1), seen)
      await store.budgets.remove(first.id)
      await store.budgets.create(PLAIN_BUDGET)
    },
    { budgetsMax: 2 },
  )

  run(
    'a target beyond the limit is refused; one that is removed makes room',
    async ({ store }) => {
      const target = await store.targets.create(TARGET)
      const refused = { code: 'invalid_argument', message: /1 targets/, hint: /Remove/ }
      await assert.rejects(store.targets.create(TARGET), refused)
      assert.deepEqual(await store.targets.list(), [target])
      await store.targets.remove(target.id)
      await store.targets.create(TARGET)
    },
    { targetsMax: 1 },
  )

  run(
    'targets are made together or not at all, and a budget with them',
    async ({ store }) => {
      const paths = ['a', 'b']
      const targets = paths.map((path) => ({ ...TARGET, address: `https://x.example/${path}` }))
      const seen = await store.budgets.readChanges(-1)
      const refused = { code: 'invalid_argument', message: /3 targets/ }
      await assert.rejects(store.budgets.create(PLAIN_BUDGET, [...targets, ...targets]), refused)
      await assert.rejects(store.targets.createAll([...targets, ...targets], null), refused)
      assert.deepEqual(await store.budgets.readChanges(-1), seen)
      assert.deepEqual(await store.targets.list(), [])
      const { id } = await store.budgets.create(PLAIN_BUDGET, targets)
      const made = await store.targets.createAll(targets.slice(1), id)
      const listed = await store.targets.list()
      assert.deepEqual(listed.slice(2), made)
      assert.deepEqual(
        listed.map(({ address, budgetId }) => [address, budgetId]),
        [...targets, ...targets.slice(1)].map(({ address }) => [address, id]),
      )
    },
    { targetsMax: 3 },
  )
}
