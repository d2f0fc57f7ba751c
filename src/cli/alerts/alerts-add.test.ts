import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine, MAIL_SETTINGS } from '../../../test/fakes/command-line.ts'
import type { BudgetRow } from '../../api/contract.ts'

interface TargetsJson {
  readonly targets: readonly {
    readonly id: string
    readonly kind: string
    readonly secret?: string
  }[]
}

test('general targets are added, listed without their secret, and removed', async (context) => {
  const { weir, json } = createCommandLine(context, { settings: MAIL_SETTINGS })
  assert.match((await weir('alerts', 'targets')).out, /No one is notified of anomalies yet/)
  const words = ['alerts', 'add', '--webhook', 'https://8.8.8.8/weir', '--email', 'a@b.example']
  const { targets } = await json<TargetsJson>(...words)
  const [webhook, mail] = targets
  assert.match(webhook?.secret ?? '', /^whsec_/)
  assert.deepEqual(Object.keys(mail ?? {}), ['id', 'kind', 'address', 'created_at'])
  const listed = await json<TargetsJson>('alerts', 'targets')
  assert.deepEqual(
    listed.targets,
    targets.map(({ secret: _secret, ...target }) => target),
  )
  const { code, out } = await weir('alerts', 'remove', webhook?.id ?? '')
  assert.equal(code, 0)
  assert.match(out, /^webhook https:\/\/8\.8\.8\.8\/weir was removed/)
  const left = await json<TargetsJson>('alerts', 'targets')
  assert.deepEqual(left.targets, [mail])
  assert.match((await weir('alerts', 'targets')).out, /^ID +KIND +CREATED +ADDRESS\ntgt_\w+ +email/)
})

test('who is a target already is refused', async (context) => {
  const { weir, json } = createCommandLine(context, { settings: MAIL_SETTINGS })
  const { targets } = await json<TargetsJson>('alerts', 'add', '--email', 'a@b.example')
  const more = ['--webhook', 'https://8.8.8.8/', '--email', 'a@b.example']
  const again = await weir('alerts', 'add', ...more)
  assert.equal(again.code, 1)
  assert.match(again.err, /--email a@b\.example is a target already\./)
  assert.deepEqual(await json('alerts', 'targets'), { targets })
})

test('without a mail server an address is refused with the remedy, and nothing is added', async (context) => {
  const { weir, json } = createCommandLine(context)
  const more = ['--webhook', 'https://8.8.8.8/', '--email', 'a@b.example']
  const budget = ['--name', 'x', '--limit-usd', '1', '--period', 'day', '--scope', 'global']
  for (const words of [
    ['alerts', 'add'],
    ['budgets', 'create', ...budget],
  ]) {
    const { code, err } = await weir(...words, ...more)
    assert.equal(code, 1)
    assert.match(err, /no mail server: set alerts\.smtp\.url and alerts\.smtp\.from/)
    assert.match(err, /\nCorrect .*--email, or leave it out/)
  }
  assert.deepEqual(await json('alerts', 'targets'), { targets: [] })
  assert.deepEqual(await json('budgets', 'list'), { budgets: [] })
})

test('a target is told of its secret once, in words too', async (context) => {
  const { weir } = createCommandLine(context)
  const { out } = await weir('alerts', 'add', '--webhook', 'https://8.8.8.8/weir')
  assert.match(out, /^ {2}whsec_[A-Za-z0-9+/]{32}$/m)
  assert.ok(!(await weir('alerts', 'targets')).out.includes('whsec_'))
})

test('nobody, an inner address, or the target of a budget is refused', async (context) => {
  const { weir, json } = createCommandLine(context, { settings: MAIL_SETTINGS })
  const scope = ['--limit-usd', '1', '--period', 'day', '--scope', 'global']
  const words = ['budgets', 'create', '--name', 'x', ...scope, '--email', 'a@b.example']
  const { id, targets } = await json<BudgetRow>(...words)
  const own = targets[0]?.id ?? ''
  for (const [call, code, message] of [
    [['add'], 2, /No target was given/],
    [['add', '--webhook', 'http://169.254.169.254/'], 1, /allowPrivateTargets/],
    [['test', 'tgt_0000000000000000'], 1, /There is no target tgt_0000000000000000\./],
    [['remove', 'tgt_0000000000000000'], 1, /There is no general target tgt_0000000000000000\./],
    [['remove', own], 1, new RegExp(`weir budgets update ${id} --remove-target ${own}`)],
  ] as const) {
    const result = await weir('alerts', ...call)
    assert.equal(result.code, code, result.err)
    assert.match(result.err, message)
  }
  assert.deepEqual(await json('alerts', 'targets'), { targets: [] })
})
