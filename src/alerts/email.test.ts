import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Alert, AlertTarget } from '../core/alert.ts'
import { toBody } from '../core/alerts/budget-alert.ts'
import { openMailServer } from '../../test/fakes/peers/mail-server.ts'
import type { MailServer } from '../../test/fakes/peers/mail-server.ts'
import { sendMail } from './email.ts'
import type { MailSettings } from './email.ts'

const TARGET: AlertTarget = {
  id: 'tgt_1',
  kind: 'email',
  address: 'team@example.com',
  budgetId: 'bud_1',
  secret: null,
  createdAt: 0,
}

function alertOf(name: string): Alert {
  const body = toBody('budget.threshold', 0, {
    budget: { id: 'bud_1', name },
    threshold_percent: 80,
  })
  return { id: 'msg_1', kind: 'budget.threshold', budgetId: 'bud_1', at: 0, body }
}

function settingsOf(server: MailServer, credentials = ''): MailSettings {
  return { url: `smtp://${credentials}127.0.0.1:${server.port}`, from: 'weir@mail.example.com' }
}

function send(settings: MailSettings, name = 'Search', changes: { timeLimitMs?: number } = {}) {
  const { signal } = new AbortController()
  return sendMail(alertOf(name), TARGET, { settings, timeLimitMs: 10_000, signal, ...changes })
}

/** Out of its encoded words, RFC 2047. */
function subjectOf(mail: string): string {
  const words = /^Subject: (.*(?:\n .*)*)$/m.exec(mail)?.[1] ?? ''
  return words
    .replaceAll(/\n |=\?UTF-8\?Q\?|\?=/g, '')
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}

test('a mail has a subject, a text and one recipient', async (t) => {
  const server = await openMailServer(t)
  const outcome = await send(settingsOf(server))
  assert.deepEqual(outcome, { kind: 'delivered', detail: '250 2.0.0 queued as 17' })
  const [mail] = server.mails
  assert.match(mail?.from ?? '', /<weir@mail\.example\.com>/)
  assert.deepEqual(mail?.to, ['RCPT TO:<team@example.com>'])
  assert.equal(subjectOf(mail?.text ?? ''), 'Weir: the budget "Search" has reached 80 %')
  assert.match(mail?.text ?? '', /^Date: Thu, 01 Jan 1970 00:00:00 \+0000$/m)
  assert.match(mail?.text ?? '', /^From: Weir <weir@mail\.example\.com>$/m)
  assert.match(mail?.text ?? '', /^Auto-Submitted: auto-generated$/m)
  assert.match(mail?.text ?? '', /^The budget "Search" has reached 80 % of its limit/m)
})

test('a repeat has the same Message-ID', async (t) => {
  const server = await openMailServer(t)
  await send(settingsOf(server))
  await send(settingsOf(server))
  const ids = server.mails.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1])
  assert.deepEqual(ids, Array(2).fill('<msg_1.tgt_1@mail.example.com>'))
})

test('a name cannot add a header, a recipient or an end of the mail', async (t) => {
  const server = await openMailServer(t)
  await send(settingsOf(server), 'x\r\nBcc: other@example.com\r\n\r\n.\r\nQUIT\r\n')
  assert.equal(server.mails.length, 1)
  assert.equal(server.mails[0]?.to.length, 1)
  const head = server.mails[0]?.text.split('\n\n')[0] ?? ''
  assert.doesNotMatch(head, /^Bcc:/im)
})

test('the server of the configuration is told who we are', async (t) => {
  const server = await openMailServer(t)
  server.answers.set('AUTH', '535 5.7.8 no')
  const outcome = await send(settingsOf(server, 'user:secret@'))
  assert.equal(outcome.kind, 'failed')
  assert.match(outcome.detail, /535 5\.7\.8 no/)
  assert.doesNotMatch(outcome.detail, /secret/)
})

test('what the server refuses has failed, with its words', async (t) => {
  const server = await openMailServer(t)
  for (const [word, answer] of [
    ['RCPT', '550 5.1.1 no such mailbox'],
    ['.', '452 4.3.1 full'],
  ] as const) {
    server.answers.clear()
    server.answers.set(word, answer)
    const outcome = await send(settingsOf(server))
    assert.equal(outcome.kind, 'failed')
    assert.ok(outcome.detail.includes(answer), outcome.detail)
  }
})

test('a server that hangs has failed when the time is over', async (t) => {
  const server = await openMailServer(t)
  server.answers.set('EHLO', 'hang')
  const outcome = await send(settingsOf(server), 'Search', { timeLimitMs: 80 })
  assert.deepEqual(outcome.kind, 'failed')
  assert.match(outcome.detail, /no answer within 0\.08 s|timeout/i)
})

test('who cuts it off hears so', async (t) => {
  const server = await openMailServer(t)
  server.answers.set('EHLO', 'hang')
  const cut = new AbortController()
  const options = { settings: settingsOf(server), timeLimitMs: 300, signal: cut.signal }
  const sent = sendMail(alertOf('Search'), TARGET, options)
  cut.abort()
  await assert.rejects(sent, { name: 'AbortError' })
})

test('without a mail server it says what to set', async () => {
  for (const settings of [{}, { url: 'smtp://127.0.0.1:1' }, { from: 'weir@example.com' }]) {
    const outcome = await send(settings)
    assert.equal(outcome.kind, 'failed')
    assert.match(outcome.detail, /set alerts\.smtp\.url and alerts\.smtp\.from/)
  }
})
