// The part of the settings store's contract that is about the one-time code of the first
// administrator.

import assert from 'node:assert/strict'
import { ADA, BOB, lastLine, listAudit, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

export function setupCodeContract(run: Run): void {
  run('the code is given out once only', async ({ store, reopen }) => {
    const other = await reopen()
    assert.equal(await other.setupCode.isOpen(), false)
    assert.match((await store.setupCode.create()) ?? '', /^[A-Za-z0-9_-]{32,}$/)
    assert.equal(await store.setupCode.create(), null)
    assert.equal(await other.setupCode.create(), null)
    assert.equal(await other.setupCode.isOpen(), true)
  })

  run('the code buys one administrator, by their own doing', async ({ store }) => {
    const code = await store.setupCode.create()
    assert.ok(code)
    const user = await store.setupCode.redeem(code, { ...ADA, role: 'viewer' })
    assert.ok(user)
    const { id, ...rest } = user
    const none = { provisioned: null, unknownGroups: [] }
    const times = { ...none, createdAt: START_MS, disabledAt: null, lastSignInAt: null }
    assert.deepEqual(rest, { ...ADA, ...times, version: await lastLine(store) })
    assert.deepEqual(await store.users.list(), [user])
    const [line, ...others] = await listAudit(store)
    assert.deepEqual(others, [])
    assert.equal(line?.action, 'user.create')
    assert.deepEqual(line.actor, { kind: 'user', id, name: ADA.email })
    assert.equal(await store.setupCode.isOpen(), false)
    assert.equal(await store.setupCode.isRight(code), false)
    assert.equal(await store.setupCode.redeem(code, BOB), null)
    assert.equal(await store.setupCode.create(), null)
  })

  run('a wrong code buys nothing and leaves the right one good', async ({ store }) => {
    assert.equal(await store.setupCode.redeem('wrong', ADA), null)
    const code = await store.setupCode.create()
    assert.ok(code)
    assert.equal(await store.setupCode.redeem('', ADA), null)
    assert.equal(await store.setupCode.redeem(`${code}x`, ADA), null)
    assert.equal(await store.setupCode.isRight(`${code}x`), false)
    assert.equal(await store.setupCode.isRight(code), true)
    assert.deepEqual(await store.users.list(), [])
    assert.deepEqual(await listAudit(store), [])
    assert.ok(await store.setupCode.redeem(code, ADA))
  })

  run('a user who cannot be made leaves the code unspent', async ({ store }) => {
    const code = await store.setupCode.create()
    assert.ok(code)
    await store.users.create(BOB)
    const refused = store.setupCode.redeem(code, { ...ADA, email: BOB.email })
    await assert.rejects(refused, { code: 'invalid_argument' })
    assert.equal(await store.setupCode.isOpen(), true)
    assert.ok(await store.setupCode.redeem(code, ADA))
  })

  run(
    'the code is of no use once an administrator can sign in by another way',
    async ({ store }) => {
      const code = await store.setupCode.create()
      assert.ok(code)
      const invited = await store.users.create({ ...ADA, passwordHash: null, subject: null })
      assert.equal(await store.setupCode.isOpen(), true)
      await store.users.setPassword(invited.id, 'hash', null)
      assert.equal(await store.setupCode.isOpen(), false)
      assert.equal(await store.setupCode.redeem(code, { ...ADA, email: 'eve@example.com' }), null)
      assert.deepEqual((await store.users.list()).length, 1)
    },
  )

  run('no code is given out where there is an administrator already', async ({ store }) => {
    await store.users.create({ ...ADA, role: 'admin' })
    assert.equal(await store.setupCode.create(), null)
    assert.equal(await store.setupCode.isOpen(), false)
  })

  run('of two who redeem it at once, one is served', async ({ store, reopen }) => {
    const other = await reopen()
    const code = await store.setupCode.create()
    assert.ok(code)
    const results = await Promise.all([
      store.setupCode.redeem(code, ADA),
      other.setupCode.redeem(code, { ...ADA, email: 'eve@example.com' }),
    ])
    assert.equal(results.filter((result) => result !== null).length, 1)
    assert.equal((await store.users.list()).length, 1)
    assert.equal((await listAudit(store)).length, 1)
  })
}
