// The part of the settings store's contract that is about sign-ins by device code: what works once,
// who is faster, and when one has ended.

import assert from 'node:assert/strict'
import { ACCESS_GRACE_MS, DEVICE_CODE_MS } from '../../../src/core/agents/device-code.ts'
import { createSecret, hashSecret, isSecretOf } from '../../../src/core/ids.ts'
import { WAITING_PER_ADDRESS_MAX } from '../../../src/store/settings/device-sign-in-store.ts'
import type { NextTokens } from '../../../src/store/settings/device-sign-in-store.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import { BOB, lastLine, MINUTE_MS, PLAIN_KEY, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const HOME = '192.0.2.1'
const ASKED = { codeHash: 'code', deviceHash: 'device', agent: 'claude-code/2', address: HOME }
const DAY_MS = 1440 * MINUTE_MS

function createNext(nowMs = START_MS, address = HOME) {
  const [access, refresh] = [createSecret(), createSecret()]
  const next: NextTokens = {
    secretHash: hashSecret(access),
    accessEndsAt: nowMs + DAY_MS,
    refreshHash: hashSecret(refresh),
    refreshEndsAt: nowMs + 30 * DAY_MS,
    address,
  }
  return { access, refresh, next }
}

async function approve(store: SettingsStore) {
  const user = await store.users.create(BOB)
  const { key } = await store.keys.create({ ...PLAIN_KEY, personId: user.id })
  assert.equal(await store.deviceSignIns.ask(ASKED), true)
  const decision = { kind: 'approved', userId: user.id, keyId: key.id } as const
  assert.equal(await store.deviceSignIns.decide('code', decision), true)
  return { user, key }
}

async function signIn(store: SettingsStore) {
  const approved = await approve(store)
  const { next, refresh } = createNext()
  const issued = await store.deviceSignIns.redeem('device', next)
  assert.ok(issued.kind === 'issued')
  return { ...approved, refresh, id: issued.id }
}

async function findKey(store: SettingsStore, id: string) {
  const key = (await store.keys.list()).find((each) => each.id === id)
  assert.ok(key)
  return key
}

export function deviceSignInContract(run: Run): void {
  run('a code waits for a person, and its client polls at a pace', async ({ store, clock }) => {
    assert.equal(await store.deviceSignIns.find('code'), null)
    assert.equal(await store.deviceSignIns.ask(ASKED), true)
    assert.deepEqual(await store.deviceSignIns.find('code'), {
      agent: ASKED.agent,
      address: HOME,
      askedAt: START_MS,
      endsAt: START_MS + DEVICE_CODE_MS,
    })
    const poll = async () => (await store.deviceSignIns.redeem('device', createNext().next)).kind
    assert.equal(await poll(), 'pending')
    assert.equal(await poll(), 'slow_down')
    clock.nowMs += 5000
    assert.equal(await poll(), 'pending')
    assert.equal((await store.deviceSignIns.redeem('other', createNext().next)).kind, 'unknown')
    clock.nowMs = START_MS + DEVICE_CODE_MS
    assert.equal(await poll(), 'expired')
    assert.equal(await store.deviceSignIns.find('code'), null)
    assert.equal(await store.deviceSignIns.decide('code', { kind: 'denied' }), false)
  })

  run('a code that was denied gives nothing', async ({ store }) => {
    await store.deviceSignIns.ask(ASKED)
    assert.equal(await store.deviceSignIns.decide('code', { kind: 'denied' }), true)
    assert.equal(await store.deviceSignIns.find('code'), null)
    assert.equal((await store.deviceSignIns.redeem('device', createNext().next)).kind, 'denied')
  })

  run(
    'of two who redeem a code at once, one is served, and its secret is the key’s',
    async (scene) => {
      const { store, reopen } = scene
      const other = await reopen()
      const { key, user } = await approve(store)
      const [one, two] = [createNext(), createNext()]
      const results = await Promise.all([
        store.deviceSignIns.redeem('device', one.next),
        other.deviceSignIns.redeem('device', two.next),
      ])
      assert.deepEqual(results.map(({ kind }) => kind).toSorted(), ['issued', 'unknown'])
      const [first] = results
      const { access } = first.kind === 'issued' ? one : two
      const { secretHash, expiresAt, oldSecret } = await findKey(other, key.id)
      assert.equal(isSecretOf(access, secretHash), true)
      assert.deepEqual([expiresAt, oldSecret], [START_MS + DAY_MS, null])
      const issued = results.find(({ kind }) => kind === 'issued')
      assert.ok(issued?.kind === 'issued')
      assert.deepEqual([issued.keyId, issued.userId], [key.id, user.id])
    },
  )

  run(
    'a refresh gives new secrets, and lets the old access run out soon',
    async ({ store, clock }) => {
      const { key, id, refresh } = await signIn(store)
      const before = await findKey(store, key.id)
      clock.nowMs += MINUTE_MS
      const { next, access } = createNext(clock.nowMs)
      const issued = await store.deviceSignIns.refresh({ id, secret: refresh }, next)
      assert.equal(issued.kind, 'issued')
      const after = await findKey(store, key.id)
      assert.equal(isSecretOf(access, after.secretHash), true)
      const endsAt = clock.nowMs + ACCESS_GRACE_MS
      assert.deepEqual(after.oldSecret, { hash: before.secretHash, endsAt })
      assert.equal(after.expiresAt, clock.nowMs + DAY_MS)
    },
  )

  run(
    'a refresh token that was replaced ends the sign-in where it comes from elsewhere',
    async ({ store }) => {
      const { key, id, refresh } = await signIn(store)
      const given = { id, secret: refresh }
      const second = createNext()
      assert.equal((await store.deviceSignIns.refresh(given, second.next)).kind, 'issued')
      const again = (address: string) =>
        store.deviceSignIns.refresh(given, createNext(START_MS, address).next)
      assert.equal((await again(HOME)).kind, 'refused')
      assert.equal((await findKey(store, key.id)).revokedAt, null)
      assert.equal((await again('198.51.100.7')).kind, 'reused')
      assert.notEqual((await findKey(store, key.id)).revokedAt, null)
      const next = { id, secret: second.refresh }
      assert.equal((await store.deviceSignIns.refresh(next, createNext().next)).kind, 'refused')
    },
  )

  run('nobody refreshes who is disabled, has no key any more, or comes too late', async (scene) => {
    const { store, clock } = scene
    const { user, key, id, refresh } = await signIn(store)
    const given = { id, secret: refresh }
    const line = await lastLine(store)
    await store.users.update(user.id, { isDisabled: true })
    assert.equal((await store.deviceSignIns.refresh(given, createNext().next)).kind, 'refused')
    await store.users.update(user.id, { isDisabled: false })
    assert.ok((await lastLine(store)) > line)
    clock.nowMs += 30 * DAY_MS
    assert.equal((await store.deviceSignIns.refresh(given, createNext().next)).kind, 'refused')
    clock.nowMs = START_MS
    await store.keys.revoke(key.id)
    assert.equal((await store.deviceSignIns.refresh(given, createNext().next)).kind, 'refused')
  })

  run('signing out revokes the key, by the refresh token or the key’s id', async ({ store }) => {
    const { key, id, refresh } = await signIn(store)
    assert.equal(await store.deviceSignIns.end({ id, secret: 'wrong' }), false)
    assert.equal(await store.deviceSignIns.end({ keyId: 'svc_k_other' }), false)
    assert.equal((await findKey(store, key.id)).revokedAt, null)
    assert.equal(await store.deviceSignIns.end({ id, secret: refresh }), true)
    assert.notEqual((await findKey(store, key.id)).revokedAt, null)
    assert.equal(await store.deviceSignIns.end({ keyId: key.id }), false)
  })

  run(
    'one address does not fill the place of all, and what has ended makes room',
    async (scene) => {
      const { store, clock } = scene
      const ask = (at: number, address = HOME) =>
        store.deviceSignIns.ask({ ...ASKED, codeHash: `c${at}`, deviceHash: `d${at}`, address })
      for (let at = 0; at < WAITING_PER_ADDRESS_MAX; at++) assert.equal(await ask(at), true)
      assert.equal(await ask(100), false)
      assert.equal(await ask(101, '198.51.100.7'), true)
      await store.deviceSignIns.decide('c0', { kind: 'denied' })
      assert.equal(await ask(102), true)
      clock.nowMs += DEVICE_CODE_MS
      assert.equal(await ask(103), true)
    },
  )
}
