import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { createCommandLine } from '../../test/fakes/command-line.ts'
import { listAudit } from '../../test/contracts/settings-scene.ts'
import { sampleCall, storeCalls } from '../../test/fakes/stored-calls.ts'
import { openSettingsStore } from '../store/open-store.ts'
import { createCommandActor } from '../accounts/command-actor.ts'
import { systemClock } from '../core/clock.ts'

const PRICES = {
  format: 'weir-prices/1',
  version: 'acme-2026-01',
  published_at: '2026-01-30T00:00:00Z',
  models: [
    { provider: 'openai', names: ['acme-9'], prices: [{ rates: { input: '1', output: '2' } }] },
  ],
}

test("what a command changes is in the audit log in the name of the machine's user", async (context) => {
  const { dataDir, weir, json, clock } = createCommandLine(context)
  const call = sampleCall({ provider: 'openai', model: 'acme-9', endedAt: clock.nowMs - 1 })
  await storeCalls(dataDir, [call])
  const file = `${dataDir}.json`
  writeFileSync(file, JSON.stringify(PRICES))
  const { id } = await json<{ id: string }>('keys', 'create', '--name', 'search')
  for (const words of [['keys', 'list'], ['prices', 'import', file, '--force'], ['reprice']]) {
    assert.equal((await weir(...words)).code, 0, words.join(' '))
  }
  const applied = await json<Record<string, unknown>>('reprice', '--apply')
  assert.equal((await weir('reprice', '--apply')).code, 0)

  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const [repriced, imported, created, ...others] = await listAudit(settings)
  await settings.close()
  assert.deepEqual(others, [])
  const lines = [created, imported, repriced]
  assert.deepEqual(
    lines.map((line) => [line?.action, line?.subjectId, line?.subjectName]),
    [
      ['key.create', id, 'search'],
      ['price.import', null, 'acme-2026-01'],
      ['usage.reprice', '1', 'unpriced calls'],
    ],
  )
  for (const line of lines) assert.deepEqual(line?.actor, createCommandActor())
  assert.equal(createCommandActor().kind, 'command')
  const { out } = await weir(
    'audit',
    '--action',
    'key.create',
    '--actor',
    createCommandActor().name,
  )
  assert.match(out, /^TIME +WHO +ACTION +OF +CHANGES\n\S+ \S+ +\S+ +key\.create +search +\S[^\n]*$/)
  assert.equal((await weir('audit', '--noun', 'user')).out, 'No change matches.')
  const csv = (await weir('audit', '--csv')).out.split('\r\n')
  assert.match(csv[0] ?? '', /^number,at,actor_kind,actor_id,actor_name,action,/)
  assert.equal(csv.length, 4)
  assert.equal((await weir('audit', '--action', 'nothing')).code, 2)
  assert.deepEqual(repriced?.changes, {
    calls: { after: 1 },
    cost_usd: { before: applied['before_usd'], after: applied['after_usd'] },
  })
  assert.notEqual(applied['after_usd'], '0')
})
