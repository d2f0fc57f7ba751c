import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import type { Alert, AlertTarget } from '../core/alert.ts'
import { toBody } from '../core/alerts/budget-alert.ts'
import { systemClock } from '../core/clock.ts'
import { readCertificate } from '../../test/fakes/certificates.ts'
import { openWebhookReceiver, RECEIVER_SECRET } from '../../test/fakes/peers/webhook-receiver.ts'
import { createSender } from './send-alert.ts'
import type { SenderOptions } from './send-alert.ts'
import { checkTargetAddress } from './target-address.ts'

const ALERT: Alert = {
  id: 'msg_0123456789abcdef',
  kind: 'budget.threshold',
  budgetId: 'bud_1',
  at: 0,
  body: toBody('budget.threshold', 0, { budget: { name: 'Zoë & Söhne' }, threshold_percent: 80 }),
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function targetAt(address: string, kind: AlertTarget['kind'] = 'webhook'): AlertTarget {
  const secret = kind === 'webhook' ? RECEIVER_SECRET : null
  return { id: 'tgt_1', kind, address, budgetId: 'bud_1', secret, createdAt: 0 }
}

function senderOf(options: Partial<SenderOptions> = {}) {
  const send = createSender({
    allowPrivate: true,
    lookup: async () => ['127.0.0.1'],
    smtp: {},
    clock: systemClock,
    version: '1.2.3',
    ...options,
  })
  return (target: AlertTarget, signal = new AbortController().signal) => send(ALERT, target, signal)
}

test('a webhook is verified by the library, and its body is that of the alert', async (t) => {
  const receiver = await openWebhookReceiver(t)
  assert.deepEqual(await senderOf()(targetAt(receiver.url)), { kind: 'delivered', detail: '200' })
  const [message] = receiver.messages
  assert.equal(message?.isVerified, true)
  assert.equal(message?.id, ALERT.id)
  assert.equal(message?.body, ALERT.body)
  assert.equal(message?.headers['content-type'], 'application/json')
  assert.equal(message?.headers['user-agent'], 'weir/1.2.3')
  assert.equal(message?.headers['transfer-encoding'], undefined)
})

test('a receiver with another secret does not take it for ours', async (t) => {
  const receiver = await openWebhookReceiver(t)
  receiver.secret = `whsec_${Buffer.from('another secret').toString('base64')}`
  await senderOf()(targetAt(receiver.url))
  assert.equal(receiver.messages[0]?.isVerified, false)
})

const ANSWERS = [
  [200, 'delivered', /^200$/],
  [204, 'delivered', /^204$/],
  [299, 'delivered', /^299$/],
  [302, 'failed', /^302, redirects are not followed$/],
  [400, 'failed', /^400$/],
  [404, 'failed', /^404$/],
  [410, 'gone', /^410, it wants no more alerts$/],
  [500, 'failed', /^500$/],
] as const

test('two hundreds are delivered, 410 wants no more, all else has failed', async (t) => {
  const receiver = await openWebhookReceiver(t)
  for (const [status, kind, detail] of ANSWERS) {
    receiver.answer = status
    const outcome = await senderOf()(targetAt(receiver.url))
    assert.equal(outcome.kind, kind, String(status))
    assert.match(outcome.detail, detail)
  }
})

test('a redirect is not followed, wherever it leads', async (t) => {
  const [receiver, inner] = [await openWebhookReceiver(t), await openWebhookReceiver(t)]
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answer = (response) => response.writeHead(status, { location: inner.url }).end()
    assert.equal((await senderOf()(targetAt(receiver.url))).kind, 'failed')
  }
  assert.equal(receiver.messages.length, 5)
  assert.equal(inner.messages.length, 0)
})

test('a name that changed its mind after it was checked is not connected to', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const url = receiver.url.replace('127.0.0.1', 'rebound.example.com')
  let addresses = ['93.184.215.14']
  const rules = { allowPrivate: false, canMail: true, lookup: async () => addresses }
  assert.equal(await checkTargetAddress('webhook', url, rules), null)
  for (addresses of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['127.0.0.1', '93.184.215.14']]) {
    const outcome = await senderOf(rules)(targetAt(url))
    assert.equal(outcome.kind, 'failed')
    assert.match(
      outcome.detail,
      /rebound\.example\.com resolves to .*127\.0\.0\.1.*allowPrivateTargets/,
    )
  }
  assert.equal(receiver.messages.length, 0)
  // The same address by the same way, allowed: it was the check that kept it out.
  addresses = ['127.0.0.1']
  assert.equal((await senderOf({ ...rules, allowPrivate: true })(targetAt(url))).kind, 'delivered')
})

test('an address that is written out is not connected to either', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const hosts = ['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]']
  const urls = hosts.map((host) => receiver.url.replace('127.0.0.1', host))
  for (const url of urls) {
    const outcome = await senderOf({ allowPrivate: false })(targetAt(url))
    assert.match(outcome.detail, /is (?:on this machine|inside the network)/, url)
  }
  assert.equal(receiver.messages.length, 0)
})

test('a name without an address has failed', async () => {
  const lookup = (): Promise<never> => Promise.reject(new Error('ENOTFOUND'))
  assert.deepEqual(await senderOf({ lookup })(targetAt('http://nobody.example.com/')), {
    kind: 'failed',
    detail: 'the name nobody.example.com cannot be resolved',
  })
})

test('a receiver that hangs has failed when its time is over', async (t) => {
  const receiver = await openWebhookReceiver(t)
  receiver.answer = 'hang'
  const outcome = await senderOf({ timeLimitMs: 60 })(targetAt(receiver.url))
  assert.deepEqual(outcome, { kind: 'failed', detail: 'no answer within 0.06 s' })
})

test('an answer without an end counts by its status', async (t) => {
  const receiver = await openWebhookReceiver(t)
  receiver.answer = (response) => response.writeHead(200).write('and so on')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent = senderOf({ timeLimitMs: 1000 })(targetAt(receiver.url))
  while (receiver.messages.length === 0) await nextTurn()
  // The start of the answer is read in one of the next turns.
  for (let turns = 0; turns < 20; turns++) await nextTurn()
  t.mock.timers.tick(1000)
  assert.equal((await sent).kind, 'delivered')
})

test('of a long answer no more than 64 KB is read', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const closed = Promise.withResolvers<void>()
  let written = 0
  receiver.answer = (response) => {
    const chunk = Buffer.alloc(16_384)
    const write = (): void => {
      while (response.write(chunk)) written += chunk.length
    }
    response.writeHead(200).on('drain', write).on('close', closed.resolve)
    write()
  }
  assert.equal((await senderOf()(targetAt(receiver.url))).kind, 'delivered')
  // The receiver's and the kernel's buffers hold some megabytes.
  await closed.promise
  assert.ok(written < 32 * 2 ** 20, String(written))
})

test('who cuts it off hears so', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const cut = new AbortController()
  receiver.answer = () => cut.abort()
  await assert.rejects(senderOf()(targetAt(receiver.url), cut.signal), { name: 'AbortError' })
})

test('connections that fail are told in words', async (t) => {
  const receiver = await openWebhookReceiver(t)
  receiver.answer = (response) => response.destroy()
  assert.match((await senderOf()(targetAt(receiver.url))).detail, /the connection was reset/)
  const refused = await senderOf()(targetAt('http://127.0.0.1:1/'))
  assert.equal(refused.detail, 'the connection was refused')
})

test('a certificate that nobody vouches for is refused', async (t) => {
  const server = createServer(readCertificate('server'), (_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const outcome = await senderOf()(targetAt(`https://localhost:${port}/`))
  assert.equal(outcome.kind, 'failed')
  assert.match(outcome.detail, /certificate/)
})

test('Slack gets its own body, and no signature where there is no secret', async (t) => {
  const receiver = await openWebhookReceiver(t)
  await senderOf()(targetAt(receiver.url, 'slack'))
  const [message] = receiver.messages
  assert.equal(message?.headers['webhook-signature'], undefined)
  const { text } = JSON.parse(message?.body ?? '{}') as { text: string }
  assert.match(text, /^The budget "Zoë &amp; Söhne" has reached 80 %/)
})

test('a webhook at the host of Slack gets it too, and is signed', async (t) => {
  const receiver = await openWebhookReceiver(t)
  await senderOf()(targetAt(receiver.url.replace('127.0.0.1', 'hooks.slack.com')))
  assert.match(receiver.messages[0]?.body ?? '', /^\{"text":/)
  assert.equal(receiver.messages[0]?.isVerified, true)
})

test('a secret that cannot be used has failed and throws nothing', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const outcome = await senderOf()({ ...targetAt(receiver.url), secret: 'whsec_' })
  assert.equal(outcome.kind, 'failed')
  assert.match(outcome.detail, /^it could not be sent: /)
})
