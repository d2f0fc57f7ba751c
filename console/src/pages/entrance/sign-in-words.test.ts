import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { toApiError } from '../../data/api-error.ts'
import { toAttemptFault, toSignInNotice } from './sign-in-words.ts'

const UNKNOWN = toSignInNotice('what-is-this')?.text

test('every code of the identity provider’s road has words of its own', () => {
  const folder = path.join(import.meta.dirname, '../../../../src/api/accounts')
  const files = readdirSync(folder).filter((name) => /^oidc-.*(?<!\.test)\.ts$/.test(name))
  const source = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
  const named = [...source.matchAll(/'(oidc_[a-z_]+)'/g)].map(([, code]) => code ?? '')
  assert.ok(named.includes('oidc_no_role'))
  for (const code of new Set([...named, 'oidc_unreachable', 'oidc_refused', 'oidc_expired'])) {
    const notice = toSignInNotice(code)
    assert.equal(notice?.isFault, true, code)
    assert.notEqual(notice.text, UNKNOWN, code)
  }
})

test('an ended session is no fault, and a code that is not known is not repeated', () => {
  assert.equal(toSignInNotice(undefined), null)
  assert.equal(toSignInNotice('ended')?.isFault, false)
  assert.equal(toSignInNotice('<b>call 555-0100</b>')?.text, UNKNOWN)
  assert.equal(toSignInNotice('constructor')?.text, UNKNOWN)
})

test('after too many attempts it says how long to wait', () => {
  const body = { code: 'rate_limited', error: 'Too many.' } as const
  const limited = toApiError({ status: 429, body, retryAfter: '40' })
  assert.equal(toAttemptFault(limited).message, 'Too many attempts. Try again in 40 seconds.')
  const wrong = new Error('The email address or the password is wrong.')
  assert.equal(toAttemptFault(wrong), wrong)
})
