import assert from 'node:assert/strict'
import { test } from 'node:test'

import { toBody } from '../core/alerts/budget-alert.ts'
import { isSlack, toSlackBody } from './slack.ts'

test('knows Slack by its kind and by its address', () => {
  const rows = [
    ['slack', 'https://chat.example.com/hooks/1', true],
    ['webhook', 'https://hooks.slack.com/services/T0/B0/x', true],
    ['webhook', 'https://HOOKS.slack.com:443/services/T0/B0/x', true],
    ['webhook', 'https://hooks.slack.com.example.com/', false],
    ['webhook', 'https://example.com/hooks.slack.com', false],
    ['email', 'x@hooks.slack.com', false],
  ] as const
  for (const [kind, address, expected] of rows) {
    assert.equal(isSlack({ kind, address }), expected, address)
  }
})

test('a name can neither call the channel nor make a link', () => {
  const subject = { kind: 'dim', name: 'team=<!channel> & <https://example.com|here>' }
  const body = toBody('spend.anomaly', 0, { subject, day: '2026-11-17' })
  const alert = { id: 'msg_1', kind: 'spend.anomaly', budgetId: null, at: 0, body } as const
  const sent = JSON.parse(toSlackBody(alert)) as { text: string }
  assert.deepEqual(Object.keys(sent), ['text'])
  assert.doesNotMatch(sent.text, /[<>]/)
  assert.match(sent.text, /team=&lt;!channel&gt; &amp; &lt;https:\/\/example\.com\|here&gt;/)
})

test('links to the calls where the console has an address, and to nothing else', () => {
  const path = '/requests?dim_key=team&dim_value=a'
  const rows: readonly (readonly [url: unknown, link: string])[] = [
    [
      `https://weir.example.com${path}`,
      ' <https://weir.example.com/requests?dim_key=team&amp;dim_value=a|See its calls>',
    ],
    [path, ''],
    ['https://weir.example.com/|Click here> <!channel', ''],
    ['javascript:alert(1)', ''],
    [`https://weir.example.com/${'x'.repeat(3000)}`, ''],
    [7, ''],
    [undefined, ''],
  ]
  for (const [calls_url, link] of rows) {
    const body = toBody('spend.anomaly', 0, { calls_url })
    const alert = { id: 'msg_1', kind: 'spend.anomaly', budgetId: null, at: 0, body } as const
    const { text } = JSON.parse(toSlackBody(alert)) as { text: string }
    assert.equal(text.slice(text.lastIndexOf('$?.') + 3), link)
  }
})
