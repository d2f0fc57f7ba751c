// What the console's forms and lines say, against the parts of the API that read it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { KEY_FORM } from '../../console/src/pages/keys/key-draft.ts'
import { createUsageCurl } from '../../console/src/pages/tokens/token-snippets.ts'
import { newKeySchema } from '../../src/api/contract.ts'
import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'

const NOW_MS = Date.parse('2026-03-15T12:00:00Z')

test('a new key is what the API takes', () => {
  const body = KEY_FORM.toBody(
    {
      ...KEY_FORM.empty,
      name: 'new',
      allowed_models: ['openai/*'],
      default_dims: ['team=search', 'note=a=b, c'],
      required_dims: ['app'],
      rate_limit_rpm: '60',
      expires_at: { choice: 'day', day: '2026-12-31' },
    },
    NOW_MS,
  )
  assert.deepEqual(newKeySchema.parse(body), body)
})

test('the line that shows how a token is used asks what the API answers', () => {
  const line = createUsageCurl({ url: 'http://127.0.0.1:7071', token: 'svc_agt_1.secret' })
  const [, url = ''] = /'(http[^']+)'/.exec(line) ?? []
  const { dimension } = parseUsageQuery(new URL(url).searchParams, NOW_MS)
  assert.equal(dimension, 'model')
})
