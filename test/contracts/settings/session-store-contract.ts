// The part of the settings store's contract that is about sessions: how they begin, are found and
// end, and how their secrets are changed.

import assert from 'node:assert/strict'
import { parseSessionCredential } from '../../../src/core/ids.ts'
import { ROTATION_GRACE_MS, SESSIONS_MAX } from '../../../src/store/settings/session-store.ts'
import type { CreatedSession } from '../../../src/store/settings/session-store.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import {
  ADA,
  BOB,
  DAY_MS,
  listAudit,
  MINUTE_MS,
  secretOf,
  START_MS,
  SYSTEM,
  toNewSession,
} from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

/** Of a user who has just been made. */
async function beginSession(store: SettingsStore): Promise<CreatedSession> {
  return store.sessions.create(toNewSession(await store.users.create(ADA)))
}

async function rotate(store: SettingsStore, { session }: CreatedSession): Promise<CreatedSession> {
  return (await store.sessions.rotate(session.id)) ?? assert.fail('it was not rotated')
}

export function sessionStoreContract(run: Run): void {
  run('a session is found by its credential, with its user', async ({ store, reopen }) => {
    const ada = await store.users.create(ADA)
    const { session, credential } = await store.sessions.create(toNewSession(ada))
    const { id, ...rest } = session
    assert.match(id, /^session_[0-9a-f]{16}$/)
    assert.equal(parseSessionCredential(credential)?.id, id)
    const times = { createdAt: START_MS, lastSeenAt: START_MS, rotatedAt: START_MS }
    assert.deepEqual(rest, { ...toNewSession(ada), ...times })
    const user = { ...ada, lastSignInAt: START_MS }
    const found = await (await reopen()).sessions.find(credential, START_MS)
    assert.deepEqual(found, { session, user, isOldSecret: false })
    assert.deepEqual(await store.users.find({ id: ada.id }), user)
  })

  run('a wrong secret, another form or an unknown id finds nothing', async ({ store }) => {
    const { session, credential } = await beginSession(store)
    const { token } = await store.tokens.create({
      name: 'x',
      scopes: ['admin'],
      teamId: null,
      expiresAt: null,
    })
    const secret = secretOf(credential)
    for (const wrong of [
      '',
      session.id,
      `${session.id}.`,
      `${credential}x`,
      `${session.id}.${secret.split('').reverse().join('')}`,
      `session_0000000000000000.${secret}`,
      `${token.id}.${secret}`,
    ]) {
      assert.equal(await store.sessions.find(wrong, 0), null, wrong)
    }
    assert.ok(await store.sessions.find(credential, 0))
    assert.equal((await listAudit(store, { noun: 'session' })).length, 1)
  })

  run('a session is over at its end, and when it was idle for too long', async (scene) => {
    const { store, clock } = scene
    const { session, credential } = await beginSession(store)
    assert.equal(await store.sessions.find(credential, START_MS + 1), null)
    assert.ok(await store.sessions.find(credential, START_MS))
    clock.nowMs = session.expiresAt - 1
    assert.ok(await store.sessions.find(credential, START_MS))
    clock.nowMs = session.expiresAt
    assert.equal(await store.sessions.find(credential, 0), null)
    assert.deepEqual(await store.sessions.list(session.userId), [])
    assert.equal(await store.sessions.rotate(session.id), null)
    assert.equal(await store.sessions.end(session.id), false)
  })

  run('a session of who is disabled is not found', async ({ store, reopen }) => {
    await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    const { credential } = await store.sessions.create(toNewSession(bob))
    await (await reopen()).users.update(bob.id, { isDisabled: true })
    assert.equal(await store.sessions.find(credential, 0), null)
    const refused = { code: 'not_found', message: new RegExp(bob.id), hint: /weir users list/ }
    await assert.rejects(store.sessions.create(toNewSession(bob)), refused)
    await assert.rejects(store.sessions.create(toNewSession({ id: 'user_0' })), {
      code: 'not_found',
    })
  })

  run('an ended session is over for every process at once', async ({ store, reopen }) => {
    const other = await reopen()
    const { session, credential } = await beginSession(store)
    const kept = await store.sessions.create(toNewSession({ id: session.userId }))
    assert.equal(await store.sessions.end(session.id), true)
    assert.equal(await other.sessions.find(credential, 0), null)
    assert.equal(await other.sessions.end(session.id), false)
    assert.equal(await other.sessions.rotate(session.id), null)
    assert.deepEqual(await other.sessions.list(session.userId), [kept.session])
  })

  run('the last use is kept to the minute', async ({ store, clock }) => {
    const { session } = await beginSession(store)
    const seenAt = async (): Promise<number | undefined> => {
      await store.sessions.touch(session.id)
      return (await store.sessions.list(session.userId))[0]?.lastSeenAt
    }
    clock.nowMs = START_MS + MINUTE_MS - 1
    assert.equal(await seenAt(), START_MS)
    clock.nowMs = START_MS + MINUTE_MS
    assert.equal(await seenAt(), START_MS + MINUTE_MS)
    await store.sessions.touch('session_0000000000000000')
  })

  run('the oldest session of a user makes room, those of others stay', async (scene) => {
    const { store, clock } = scene
    const bob = await store.users.create(BOB)
    const { session: others } = await store.sessions.create(toNewSession(bob))
    const { session: first } = await beginSession(store)
    const ids: string[] = []
    for (let count = 0; count < SESSIONS_MAX; count += 1) {
      clock.nowMs += count % 2
      const { session } = await store.sessions.create(toNewSession({ id: first.userId }))
      ids.unshift(session.id)
    }
    const listed = await store.sessions.list(first.userId)
    assert.deepEqual(
      listed.map(({ id }) => id),
      ids,
    )
    assert.deepEqual(await store.sessions.list(bob.id), [others])
    const [, ended] = await listAudit(store)
    assert.deepEqual(
      [ended?.action, ended?.subjectId, ended?.changes],
      ['session.end', first.id, { reason: { after: 'too_many' } }],
    )
  })

  run('what a browser calls itself is cut', async ({ store }) => {
    const { id } = await store.users.create(ADA)
    const long = { agent: 'x'.repeat(10_000), address: 'y'.repeat(10_000) }
    const { session } = await store.sessions.create({ ...toNewSession({ id }), ...long })
    assert.ok(session.agent && session.agent.length <= 300)
    assert.ok(session.address && session.address.length <= 100)
    assert.deepEqual(await store.sessions.list(id), [session])
  })
}

export function sessionRotationContract(run: Run): void {
  run(
    'a new secret takes the place of the old one, which is valid for the grace',
    async (scene) => {
      const { store, reopen, clock } = scene
      const begun = await beginSession(store)
      clock.nowMs += MINUTE_MS * 15
      const rotated = await rotate(await reopen(), begun)
      assert.deepEqual(rotated.session, { ...begun.session, rotatedAt: clock.nowMs })
      assert.notEqual(secretOf(rotated.credential), secretOf(begun.credential))
      const found = await store.sessions.find(rotated.credential, 0)
      assert.deepEqual(found?.session, rotated.session)
      assert.equal(found.isOldSecret, false)
      clock.nowMs += ROTATION_GRACE_MS - 1
      const old = await store.sessions.find(begun.credential, 0)
      assert.equal(old?.isOldSecret, true)
    },
  )

  run(
    'a secret that never arrived leaves the old one good, and may be given anew',
    async (scene) => {
      const { store, reopen, clock } = scene
      const begun = await beginSession(store)
      await rotate(store, begun)
      clock.nowMs += ROTATION_GRACE_MS * 2
      const found = await (await reopen()).sessions.find(begun.credential, 0)
      assert.equal(found?.isOldSecret, false)
      const lost = await rotate(store, begun)
      clock.nowMs += ROTATION_GRACE_MS
      const latest = await rotate(store, begun)
      assert.ok(await store.sessions.find(begun.credential, 0))
      assert.ok(await store.sessions.find(latest.credential, 0))
      clock.nowMs += ROTATION_GRACE_MS
      assert.equal(await store.sessions.find(lost.credential, 0), null)
      assert.equal(await store.sessions.find(latest.credential, 0), null)
    },
  )

  run('all sessions and links end at once, by one line', async ({ store }) => {
    const begun = await beginSession(store)
    const link = await store.users.createLink(begun.session.userId, MINUTE_MS)
    const count = (await listAudit(store)).length
    await store.sessions.endAll()
    assert.equal(await store.sessions.find(begun.credential, 0), null)
    assert.equal(await store.users.redeemLink(link?.code ?? '', 'hash'), null)
    await store.sessions.endAll()
    const lines = await listAudit(store)
    assert.equal(lines.length, count + 1)
    assert.deepEqual([lines[0]?.action, lines[0]?.subjectId], ['session.end', null])
    assert.deepEqual(lines[0]?.changes, { reason: { after: 'restored' } })
  })

  run('a session that was rotated a moment ago is not rotated again', async (scene) => {
    const { store, reopen, clock } = scene
    const other = await reopen()
    const begun = await beginSession(store)
    const { id } = begun.session
    const results = await Promise.all([store.sessions.rotate(id), other.sessions.rotate(id)])
    const served = results.filter((result) => result !== null)
    assert.equal(served.length, 1)
    assert.ok(await store.sessions.find(served[0]?.credential ?? '', 0))
    clock.nowMs += ROTATION_GRACE_MS - 1
    assert.equal(await store.sessions.rotate(id), null)
    clock.nowMs += 1
    await rotate(store, begun)
  })

  run('of several that change the secret without waiting, one does', async (scene) => {
    const { store, reopen } = scene
    const other = await reopen()
    const { id } = (await beginSession(store)).session
    const rotations = [store, other, store, other].map((each) =>
      each.sessions.rotate(id, { canWait: false }),
    )
    // Who would have to wait is refused instead.
    const settled = await Promise.allSettled(rotations)
    const served = settled.filter((each) => each.status === 'fulfilled' && each.value !== null)
    assert.equal(served.length, 1)
    const [first] = served
    assert.ok(first?.status === 'fulfilled')
    assert.ok(await other.sessions.find(first.value?.credential ?? '', 0))
  })

  for (const rotations of [1, 3]) {
    run(`a secret that is ${rotations} behind ends the session`, async (scene) => {
      const { store, reopen, clock } = scene
      const begun = await beginSession(store)
      let latest = begun
      for (let count = 0; count < rotations; count += 1) {
        clock.nowMs += ROTATION_GRACE_MS
        latest = await rotate(store, begun)
      }
      assert.ok(await store.sessions.find(latest.credential, 0))
      clock.nowMs += ROTATION_GRACE_MS
      assert.ok(await store.sessions.find(latest.credential, 0))
      assert.equal(await (await reopen()).sessions.find(begun.credential, 0), null)
      assert.equal(await store.sessions.find(latest.credential, 0), null)
      assert.equal(await store.sessions.find(begun.credential, 0), null)
      assert.deepEqual(await store.sessions.list(begun.session.userId), [])
      const [line, ...others] = await listAudit(store, { subjectId: begun.session.id })
      assert.deepEqual([others.length, others[0]?.action], [1, 'session.begin'])
      assert.equal(line?.action, 'session.end')
      assert.deepEqual(line.actor, SYSTEM)
      assert.deepEqual(line.changes, { reason: { after: 'replayed' } })
    })
  }

  run(
    'the old secret of another session opens nothing and ends nothing',
    async ({ store, clock }) => {
      const begun = await beginSession(store)
      const other = await store.sessions.create(toNewSession({ id: begun.session.userId }))
      await rotate(store, begun)
      clock.nowMs += ROTATION_GRACE_MS
      const forged = `${other.session.id}.${secretOf(begun.credential)}`
      assert.equal(await store.sessions.find(forged, 0), null)
      assert.ok(await store.sessions.find(other.credential, 0))
    },
  )

  run('a rotated session still ends when it was to end', async ({ store, clock }) => {
    const begun = await beginSession(store)
    clock.nowMs = START_MS + DAY_MS - 1
    const rotated = await rotate(store, begun)
    clock.nowMs = START_MS + DAY_MS
    assert.equal(await store.sessions.find(rotated.credential, 0), null)
  })
}
