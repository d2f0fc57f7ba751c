import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { openHeartbeat } from '../../app/nodes/heartbeat.ts'
import { systemClock } from '../../core/clock.ts'
import { migrateStores } from '../../store/databases.ts'

const NOBODY = /no node leads: alerts and the removal of old calls wait for weir api/

test('with proxies alone, the proxy, weir nodes and weir doctor say that no node leads', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const said: string[] = []
  let passedMs = 0
  const fixed = {
    url,
    configHash: () => 'a',
    claim: { run: 'run', place: 'place' },
    journal: async () => null,
    isLeftKnown: () => false,
    health: () => ({ fault: null, ledgerSilentMs: 0 }),
    claimed: () => {},
  }
  const heartbeat = await openHeartbeat({
    ...fixed,
    node: { id: 'a'.repeat(16), role: 'proxy' },
    clock: { ...systemClock, monotonic: () => passedMs },
    say: (line) => said.push(line),
    everyMs: 5,
  })
  t.after(() => heartbeat.close())
  const waitFor = async (isWarned: boolean): Promise<void> => {
    while ((heartbeat.leaderWarning() !== null) !== isWarned) {
      // The clock of the heartbeat moves by hand, so this ends after some rounds of it.
      passedMs += 10_000
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await waitFor(true)
  assert.match(said.join('\n'), /^No node leads: .* Start weir api on one machine\.$/)
  const settings = `settings: { url: ${JSON.stringify(url)} }`
  const { weir, json } = createCommandLine(t, { hasData: false, settings })
  assert.match((await weir('nodes')).out, NOBODY)
  assert.equal((await json<{ warnings: string[] }>('nodes')).warnings.length, 1)
  assert.match((await weir('doctor')).out, NOBODY)

  const api = await openHeartbeat({
    ...fixed,
    node: { id: 'b'.repeat(16), role: 'api' },
    clock: systemClock,
    say: (line) => said.push(line),
  })
  t.after(() => api.close())
  await waitFor(false)
  assert.doesNotMatch((await weir('nodes')).out, NOBODY)
  assert.deepEqual((await json<{ warnings: string[] }>('nodes')).warnings, [])
})
