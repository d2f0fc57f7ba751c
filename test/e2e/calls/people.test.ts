// A person who may not sign in any more, in the real program: their personal keys are refused, and
// go on when they are let in again. Over nodes: ../nodes/people-over-nodes.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { byForm } from '../../long-form.ts'
import { askAs, callWith, makePerson, untilRefused, untilPassed } from '../people.ts'
import { openScene } from '../scene.ts'

const ROUNDS = byForm(2, 20)
const REFUSED_MS_MAX = 1000

test("a disabled person's keys are refused within a second, and go on once they are let in", async (t) => {
  const { program, commands, key: service } = await openScene(t, { PROXY_WORKERS: '1' })
  const { proxy, api } = program.addresses
  const { personId, create, token } = await makePerson(commands.json)
  const [key, byHand, later] = [await create(), await create(), await create()]
  const ask = askAs(api, token)
  const patch = (isDisabled: boolean) =>
    ask('PATCH', `/v1/users/${personId}`, { is_disabled: isDisabled })
  await ask('POST', `/v1/keys/${byHand.id}/pause`)
  await untilRefused(proxy, byHand.key)
  const tookMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { key: secret } of [key, later]) await untilPassed(proxy, secret)
    await patch(true)
    tookMs.push(await untilRefused(proxy, key.key))
    assert.equal(await callWith(proxy, service.key), '200')
    await patch(false)
  }
  // A busy machine may be late once; the long form has one of its own.
  const tookLongest = byForm(Math.min, Math.max)(...tookMs)
  assert.ok(tookLongest < REFUSED_MS_MAX, `${tookMs.join(' ')} ms`)

  await patch(true)
  // Whose hand it was that paused it last is what counts.
  await ask('POST', `/v1/keys/${later.id}/pause`)
  await untilRefused(proxy, key.key)
  assert.equal(await program.stop(), 0)
  await program.restart()
  const again = program.addresses
  assert.equal(await callWith(again.proxy, key.key), 'key_paused')
  await askAs(again.api, token)('PATCH', `/v1/users/${personId}`, { is_disabled: false })
  await untilPassed(again.proxy, key.key)
  for (const { key: secret } of [byHand, later]) {
    assert.equal(await callWith(again.proxy, secret), 'key_paused')
  }
})
