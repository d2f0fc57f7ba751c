import assert from 'node:assert/strict'
import { test } from 'node:test'

import { toMailServer } from './mail-address.ts'

test('reads the address of a mail server', () => {
  assert.deepEqual(toMailServer('smtp://mail.example.com'), {
    host: 'mail.example.com',
    port: null,
    isTls: false,
    credentials: null,
  })
  assert.deepEqual(toMailServer('smtps://us%40er:p%2Fw@[::1]:2465/'), {
    host: '::1',
    port: 2465,
    isTls: true,
    credentials: { user: 'us@er', password: 'p/w' },
  })
})

const REFUSED = [
  '',
  'mail.example.com',
  'https://mail.example.com',
  'smtp://',
  'smtp:mail.example.com',
  'smtp://mail.example.com/path',
  'smtp://mail.example.com?tls.rejectUnauthorized=false',
  'smtp://mail.example.com#x',
  'smtp://user:100%@mail.example.com',
  'smtp://mail.example.com\n',
]

for (const text of REFUSED) {
  test(`takes ${JSON.stringify(text)} for no mail server`, () => {
    assert.equal(toMailServer(text), null)
  })
}
