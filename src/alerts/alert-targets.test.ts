import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { AlertTarget } from '../core/alert.ts'
import { openWebhookReceiver, RECEIVER_SECRET } from '../../test/fakes/peers/webhook-receiver.ts'
import { createTargetCheck, createTestSender } from './alert-targets.ts'
import { loadConfig } from '../config/config.ts'

function configOf(env: Readonly<Record<string, string>> = {}) {
  return loadConfig({ env, cwd: import.meta.dirname })
}

const ALLOWED = { WEIR_ALERTS_ALLOW_PRIVATE_TARGETS: 'true' }

function targetAt(address: string): AlertTarget {
  const fixed = { id: 'tgt_1', budgetId: null, secret: RECEIVER_SECRET, createdAt: 0 }
  return { kind: 'webhook', address, ...fixed }
}

test('targets inside the network are refused until the configuration allows them', async () => {
  const address = 'http://127.0.0.1:9/hook'
  const fault = await createTargetCheck(configOf())('webhook', address)
  assert.match(fault ?? '', /alerts\.allowPrivateTargets: true/)
  assert.equal(await createTargetCheck(configOf(ALLOWED))('webhook', address), null)
})

const MAIL = {
  WEIR_ALERTS_SMTP_URL: 'smtps://mail.example.com:465',
  WEIR_ALERTS_SMTP_FROM: 'weir@example.com',
}

test('an e-mail address is refused until the configuration has a mail server and a sender', async () => {
  const check = (env: Readonly<Record<string, string>>, address = 'team@example.com') =>
    createTargetCheck(configOf(env))('email', address)
  const { WEIR_ALERTS_SMTP_URL, WEIR_ALERTS_SMTP_FROM } = MAIL
  for (const env of [{}, { WEIR_ALERTS_SMTP_URL }, { WEIR_ALERTS_SMTP_FROM }]) {
    assert.match(
      (await check(env)) ?? '',
      /^E-mail cannot be sent, .* set alerts\.smtp\.url and alerts\.smtp\.from .* restart Weir/,
    )
  }
  assert.equal(await check(MAIL), null)
  assert.match((await check(MAIL, 'Team <team@example.com>')) ?? '', /a single address/)
})

test('a test is a signed webhook like any other', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const outcome = await createTestSender(configOf(ALLOWED))(targetAt(receiver.url))
  assert.deepEqual(outcome, { isDelivered: true, detail: '200' })
  const [message] = receiver.messages
  assert.equal(message?.isVerified, true)
  const body = JSON.parse(message?.body ?? '{}') as { type: string; data: unknown }
  assert.equal(body.type, 'alert.test')
  assert.deepEqual(body.data, { target_id: 'tgt_1', budget_id: null })
})

test('a test that fails says why', async (t) => {
  const receiver = await openWebhookReceiver(t)
  receiver.answer = 503
  const outcome = await createTestSender(configOf(ALLOWED))(targetAt(receiver.url))
  assert.deepEqual(outcome, { isDelivered: false, detail: '503' })
  const refused = await createTestSender(configOf())(targetAt(receiver.url))
  assert.equal(refused.isDelivered, false)
  assert.match(refused.detail, /is on this machine/)
})

test('a mail server or a sender that cannot be one is refused, and its password is not shown', () => {
  const env = {
    WEIR_ALERTS_SMTP_URL: 'https://user:geheim@mail.example.com',
    WEIR_ALERTS_SMTP_FROM: 'Weir <weir@example.com>',
  }
  assert.throws(
    () => configOf(env),
    (error: Error) => {
      assert.match(
        error.message,
        /alerts\.smtp\.url.*is not a usable URL; write a URL such as smtps:/s,
      )
      assert.match(error.message, /alerts\.smtp\.from.*a single address such as weir@example\.com/s)
      assert.doesNotMatch(error.message, /geheim/)
      return true
    },
  )
})
