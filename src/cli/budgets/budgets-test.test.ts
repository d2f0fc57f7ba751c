import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { BudgetRow } from '../../api/contract.ts'

interface Outcomes {
  readonly deliveries: readonly { readonly delivered: boolean; readonly detail: string }[]
}

test('a test alert goes to all targets, signed, and each tells what came of it', async (context) => {
  const { weir, json, dataDir } = createCommandLine(context)
  const config = `dataDir: ${JSON.stringify(dataDir)}\nalerts:\n  allowPrivateTargets: true\n`
  writeFileSync(`${dataDir}.yaml`, config)
  const bodies: { readonly body: string; readonly headers: Record<string, string> }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push({ body, headers: request.headers as Record<string, string> })
      response.writeHead(request.url === '/good' ? 204 : 500).end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const scope = ['--limit-usd', '1', '--period', 'day', '--scope', 'global']
  const create = ['budgets', 'create', '--name', 'x', ...scope, '--webhook', `${url}/good`]
  const { id, webhook_secret: secret = '' } = await json<BudgetRow>(...create)

  const good = await weir('budgets', 'test', id)
  assert.equal(good.code, 0, good.err)
  assert.match(
    good.out,
    /^TARGET +KIND +ADDRESS +RESULT +ANSWER\ntgt_\w+ +webhook +\S+\/good +delivered +204$/,
  )
  const [{ body, headers } = { body: '', headers: {} }] = bodies
  const alert = new Webhook(secret).verify(body, headers) as { type: string }
  assert.equal(alert.type, 'alert.test')

  await weir('budgets', 'update', id, '--slack', `${url}/bad`)
  const mixed = await weir('budgets', 'test', id, '--json')
  assert.equal(mixed.code, 1)
  assert.deepEqual(
    (JSON.parse(mixed.out) as Outcomes).deliveries.map(({ delivered }) => delivered),
    [true, false],
  )
})

test('a budget without targets cannot be tested, and it says what to do', async (context) => {
  const { weir, json } = createCommandLine(context)
  const scope = ['--limit-usd', '1', '--period', 'day', '--scope', 'global']
  const { id } = await json<BudgetRow>('budgets', 'create', '--name', 'x', ...scope)
  const { code, err } = await weir('budgets', 'test', id)
  assert.equal(code, 1)
  assert.match(
    err,
    /has no target to send a test to\.\nAdd one: weir budgets update bud_\w+ --webhook/,
  )
})
