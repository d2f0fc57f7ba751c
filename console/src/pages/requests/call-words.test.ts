import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPolicyWords } from './call-words.ts'

test('a policy decision is shown in words', () => {
  const call = { status: 'delivered', error_code: null, violation: null } as const
  assert.equal(toPolicyWords(call).verdict, 'allowed')
  const violated = toPolicyWords({ ...call, violation: 'gpt-99' })
  assert.equal(violated.verdict, 'violated')
  assert.match(violated.text, /^gpt-99 answered/)
  const denied = toPolicyWords({ ...call, status: 'denied', error_code: 'model_not_allowed' })
  assert.equal(denied.verdict, 'denied')
  assert.match(denied.text, /does not allow this model\. Nothing was sent/)
  const other = toPolicyWords({ ...call, status: 'denied', error_code: 'something_new' })
  assert.match(other.text, /^Weir denied the call\./)
})
