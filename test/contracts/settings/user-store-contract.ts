// The part of the settings store's contract that is about users: who they are, and how they come to
// a password.

import assert from 'node:assert/strict'
import type { User } from '../../../src/core/user.ts'
import type { NewUser, UserChange } from '../../../src/store/settings/user-store.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import {
  ADA,
  BOB,
  lastLine,
  listAudit,
  MINUTE_MS,
  START_MS,
  toNewSession,
} from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const NOBODY = 'user_0000000000000000'

async function countSessions(store: SettingsStore, { id }: User): Promise<number> {
  return (await store.sessions.list(id)).length
}

export function userStoreContract(run: Run): void {
  run('a created user carries what was decided and is found by every name', async (scene) => {
    const { store, reopen } = scene
    const other = await reopen()
    for (const asked of [ADA, BOB]) {
      const user = await store.users.create(asked)
      const { id, ...rest } = user
      assert.match(id, /^user_[0-9a-f]{16}$/)
      const times = { createdAt: START_MS, disabledAt: null, lastSignInAt: null }
      const none = { provisioned: null, unknownGroups: [] }
      const version = await lastLine(store)
      assert.deepEqual(rest, { ...asked, ...none, ...times, version })
      assert.deepEqual(await other.users.find({ id }), user)
      assert.deepEqual(await other.users.find({ email: asked.email }), user)
    }
    const [ada, bob] = await other.users.list()
    assert.deepEqual([ada?.email, bob?.email], [ADA.email, BOB.email])
    assert.ok(BOB.subject)
    assert.deepEqual(await store.users.find({ subject: BOB.subject }), bob)
    const subject = { ...BOB.subject, issuer: 'https://other.example.com' }
    assert.equal(await store.users.find({ subject }), null)
  })

  run('addresses differ in more than their case', async ({ store }) => {
    const user = await store.users.create({ ...ADA, email: 'ADA@Example.com' })
    assert.equal(user.email, ADA.email)
    assert.deepEqual(await store.users.find({ email: 'aDa@example.COM' }), user)
    const taken = { code: 'invalid_argument', message: /ada@example\.com already/, hint: /address/ }
    await assert.rejects(store.users.create({ ...BOB, email: 'Ada@example.com' }), taken)
    const bob = await store.users.create(BOB)
    await assert.rejects(store.users.update(bob.id, { email: 'ADA@example.com' }), taken)
    assert.deepEqual(await store.users.list(), [user, bob])
  })

  run('an identity is that of one user', async ({ store }) => {
    const ada = await store.users.create(ADA)
    await store.users.create(BOB)
    assert.ok(BOB.subject)
    const taken = { code: 'invalid_argument', message: /signs in as bob-7/ }
    await assert.rejects(store.users.create({ ...BOB, email: 'eve@example.com' }), taken)
    await assert.rejects(store.users.update(ada.id, { subject: BOB.subject }), taken)
    const subject = { ...BOB.subject, subject: 'ada-1' }
    const changed = await store.users.update(ada.id, { subject })
    assert.deepEqual(changed, { ...ada, subject, version: await lastLine(store) })
  })

  run('an update changes what it names and nothing else', async ({ store, clock }) => {
    const ada = await store.users.create(ADA)
    let bob = await store.users.create(BOB)
    clock.nowMs += MINUTE_MS
    const rows: readonly (readonly [UserChange, Partial<User>])[] = [
      [{ name: 'Robert' }, { name: 'Robert' }],
      [{ email: 'Robert@example.com' }, { email: 'robert@example.com' }],
      [{ role: 'admin' }, { role: 'admin' }],
      [{ isDisabled: true }, { disabledAt: START_MS + MINUTE_MS }],
      [
        { isDisabled: false, name: 'Bob' },
        { disabledAt: null, name: 'Bob' },
      ],
      [{}, {}],
    ]
    for (const [change, expected] of rows) {
      const changed = await store.users.update(bob.id, change)
      assert.deepEqual(changed, { ...bob, ...expected, version: await lastLine(store) })
      bob = changed
      assert.deepEqual(await store.users.list(), [ada, bob])
    }
  })

  run('who is disabled twice keeps the first moment', async ({ store, clock }) => {
    const { id } = await store.users.create(BOB)
    const disabled = await store.users.update(id, { isDisabled: true })
    clock.nowMs += MINUTE_MS
    assert.deepEqual(await store.users.update(id, { isDisabled: true }), disabled)
  })

  run('a user that does not exist is answered with null', async ({ store }) => {
    assert.equal(await store.users.find({ id: NOBODY }), null)
    assert.equal(await store.users.find({ email: 'nobody@example.com' }), null)
    assert.equal(await store.users.update(NOBODY, { name: 'x' }), null)
    assert.equal(await store.users.setPassword(NOBODY, 'x', null), null)
    assert.equal(await store.users.remove(NOBODY), null)
    assert.equal(await store.users.createLink(NOBODY, MINUTE_MS), null)
    assert.deepEqual(await listAudit(store), [])
  })

  run('who loses a right loses the sessions, who has a new name does not', async ({ store }) => {
    await store.users.create(ADA)
    const bob = await store.users.create({ ...BOB, role: 'admin' })
    const rows: readonly (readonly [UserChange, number])[] = [
      [{ name: 'Robert', email: 'robert@example.com' }, 1],
      [{ role: 'admin' }, 1],
      [{ role: 'viewer' }, 0],
      [{ role: 'admin' }, 0],
      [{ isDisabled: true }, 0],
    ]
    for (const [change, left] of rows) {
      await store.sessions.create(toNewSession(bob))
      await store.users.update(bob.id, change)
      assert.equal(await countSessions(store, bob), left, JSON.stringify(change))
      for (const { id } of await store.sessions.list(bob.id)) await store.sessions.end(id)
    }
  })

  run('a removed user is gone with sessions and link, and may come again', async ({ store }) => {
    await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    const { credential } = await store.sessions.create(toNewSession(bob))
    const link = await store.users.createLink(bob.id, MINUTE_MS)
    const signedIn = { ...bob, lastSignInAt: START_MS }
    assert.deepEqual(await store.users.remove(bob.id), signedIn)
    assert.equal(await store.sessions.find(credential, 0), null)
    assert.equal(await store.users.redeemLink(link?.code ?? '', 'x'), null)
    assert.equal(await store.users.remove(bob.id), null)
    assert.notEqual((await store.users.create(BOB)).id, bob.id)
  })

  lastAdministratorTests(run)
}

function lastAdministratorTests(run: Run): void {
  run('the last administrator who can sign in stays one', async ({ store }) => {
    const ada = await store.users.create(ADA)
    // Neither a viewer, nor who was disabled, nor who has no way to sign in can let the others in.
    await store.users.create(BOB)
    const disabled = await store.users.create({ ...ADA, email: 'gone@example.com' })
    await store.users.update(disabled.id, { isDisabled: true })
    const invited = await store.users.create({
      ...ADA,
      email: 'new@example.com',
      passwordHash: null,
    })
    const users = await store.users.list()
    const lines = await listAudit(store)
    const attempts = [
      () => store.users.remove(ada.id),
      () => store.users.update(ada.id, { isDisabled: true }),
      () => store.users.update(ada.id, { role: 'viewer', name: 'Ada' }),
    ]
    for (const attempt of attempts) {
      await assert.rejects(attempt, {
        code: 'invalid_argument',
        message: /ada@example\.com is the only administrator/,
        hint: /administrator first/,
      })
    }
    assert.deepEqual(await store.users.list(), users)
    assert.deepEqual(await listAudit(store), lines)
    await store.users.update(ada.id, { name: 'Ada' })
    await store.users.setPassword(invited.id, 'scrypt$new', null)
    assert.ok(await store.users.remove(ada.id))
  })

  run('of two administrators who remove each other at once, one stays', async (scene) => {
    const { store, reopen } = scene
    const other = await reopen()
    const admins: NewUser[] = [ADA, { ...BOB, role: 'admin' }]
    const [ada, bob] = await Promise.all(admins.map((each) => store.users.create(each)))
    assert.ok(ada && bob)
    const results = await Promise.allSettled([
      store.users.remove(ada.id),
      other.users.update(bob.id, { role: 'viewer' }),
    ])
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })
}

export function userLinksContract(run: Run): void {
  run('a new password ends all sessions but the one named', async ({ store }) => {
    const ada = await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    await store.sessions.create(toNewSession(ada))
    const { session: kept } = await store.sessions.create(toNewSession(ada))
    await store.sessions.create(toNewSession(bob))
    const changed = await store.users.setPassword(ada.id, 'scrypt$new', kept.id)
    const after = { passwordHash: 'scrypt$new', lastSignInAt: START_MS }
    assert.deepEqual(changed, { ...ada, ...after, version: await lastLine(store) })
    assert.deepEqual(await store.users.find({ id: ada.id }), changed)
    assert.deepEqual(await store.sessions.list(ada.id), [kept])
    assert.equal(await countSessions(store, bob), 1)
    await store.users.setPassword(ada.id, 'scrypt$newer', null)
    assert.equal(await countSessions(store, ada), 0)
  })

  run('a link sets a password once, by the doing of its user', async ({ store, reopen }) => {
    const other = await reopen()
    const bob = await store.users.create(BOB)
    await store.sessions.create(toNewSession(bob))
    const link = await store.users.createLink(bob.id, MINUTE_MS)
    assert.ok(link)
    assert.match(link.code, /^[A-Za-z0-9_-]{32,}$/)
    assert.equal(link.user.id, bob.id)
    assert.equal(link.expiresAt, START_MS + MINUTE_MS)
    assert.equal(await other.users.redeemLink(`${link.code}x`, 'scrypt$new'), null)
    assert.equal(await other.users.isLinkOpen(`${link.code}x`), false)
    assert.equal(await other.users.isLinkOpen(link.code), true)
    const user = await other.users.redeemLink(link.code, 'scrypt$new')
    const after = { passwordHash: 'scrypt$new', lastSignInAt: START_MS }
    assert.deepEqual(user, { ...bob, ...after, version: await lastLine(store) })
    assert.equal(await countSessions(store, bob), 0)
    const [line] = await listAudit(store)
    assert.equal(line?.action, 'user.password')
    assert.deepEqual(line.actor, { kind: 'user', id: bob.id, name: bob.email })
    assert.equal(await store.users.isLinkOpen(link.code), false)
    assert.equal(await store.users.redeemLink(link.code, 'scrypt$other'), null)
    assert.deepEqual(await store.users.find({ id: bob.id }), user)
  })

  run('a link is over at its end, and when another was given or a password set', async (scene) => {
    const { store, clock } = scene
    const { id } = await store.users.create(BOB)
    const codeOf = async (): Promise<string> => {
      return (await store.users.createLink(id, MINUTE_MS))?.code ?? assert.fail('no link')
    }
    const first = await codeOf()
    const second = await codeOf()
    assert.equal(await store.users.redeemLink(first, 'x'), null)
    clock.nowMs = START_MS + MINUTE_MS
    assert.equal(await store.users.isLinkOpen(second), false)
    assert.equal(await store.users.redeemLink(second, 'x'), null)
    clock.nowMs = START_MS + MINUTE_MS - 1
    assert.ok(await store.users.redeemLink(second, 'x'))
    const third = await codeOf()
    await store.users.setPassword(id, 'y', null)
    assert.equal(await store.users.redeemLink(third, 'x'), null)
  })

  run('who is disabled sets no password by a link', async ({ store }) => {
    const { id } = await store.users.create(BOB)
    const link = await store.users.createLink(id, MINUTE_MS)
    await store.users.update(id, { isDisabled: true })
    assert.equal(await store.users.isLinkOpen(link?.code ?? ''), false)
    assert.equal(await store.users.redeemLink(link?.code ?? '', 'x'), null)
    assert.equal((await store.users.find({ id }))?.passwordHash, null)
  })

  run('of two who redeem a link at once, one is served', async ({ store, reopen }) => {
    const other = await reopen()
    const { id } = await store.users.create(BOB)
    const code = (await store.users.createLink(id, MINUTE_MS))?.code ?? ''
    const results = await Promise.all([
      store.users.redeemLink(code, 'scrypt$one'),
      other.users.redeemLink(code, 'scrypt$two'),
    ])
    const served = results.filter((result) => result !== null)
    assert.equal(served.length, 1)
    assert.deepEqual(await store.users.find({ id }), served[0])
  })
}

export function provisionedUserContract(run: Run): void {
  const provisioned = { userName: 'Ada@Corp.example', externalId: '00uAda' }

  run('a directory finds its users by its own names', async ({ store, reopen }) => {
    const ada = await store.users.create({ ...ADA, provisioned })
    const bob = await store.users.create(BOB)
    const { users } = await reopen()
    assert.deepEqual(await users.find({ userName: 'aDA@corp.EXAMPLE' }), ada)
    assert.deepEqual(await users.find({ externalId: '00uAda' }), ada)
    assert.equal(await users.find({ externalId: '00uada' }), null)
    // The address is the name of whom it has not taken on, and of nobody else.
    assert.deepEqual(await users.find({ userName: BOB.email.toUpperCase() }), bob)
    assert.equal(await users.find({ userName: ADA.email }), null)
    const taken = { userName: 'bob', externalId: null }
    const changed = await users.update(bob.id, { provisioned: taken, unknownGroups: ['staff'] })
    assert.deepEqual([changed?.provisioned, changed?.unknownGroups], [taken, ['staff']])
    assert.deepEqual(await users.find({ userName: 'Bob' }), changed)
  })

  run('a user name is that of one user', async ({ store: { users } }) => {
    const ada = await users.create({ ...ADA, provisioned })
    const bob = await users.create(BOB)
    const code = 'invalid_argument'
    const other = { userName: 'ADA@corp.example', externalId: null }
    await assert.rejects(users.update(bob.id, { provisioned: other }), { code })
    await assert.rejects(users.create({ ...BOB, email: 'x@example.com', provisioned: other }), {
      code,
    })
    const bobs = { userName: BOB.email, externalId: null }
    await assert.rejects(users.update(ada.id, { provisioned: bobs }), { code })
    assert.deepEqual(await users.update(ada.id, { provisioned }), ada)
  })
}
