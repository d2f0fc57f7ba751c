// A flood on a key that may make one call a minute, while the supervisor, which counts them, does
// not answer: the real program, with its supervisor stopped and continued by signals.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { systemClock } from '../../../src/core/clock.ts'
import { openRawClient } from '../../fakes/callers/raw-client.ts'
import { createCommandLineAt } from '../../fakes/command-line.ts'
import { freeze } from '../../fakes/processes.ts'
import { openProgram } from '../../fakes/program.ts'
import { openScriptedUpstream } from '../../fakes/upstreams/scripted-upstream.ts'

const CALLS = 22
/** Only what hangs takes so long. */
const WAIT_MS_MAX = 60_000
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

async function openScene(t: TestContext, settings: Readonly<Record<string, string>>) {
  let served = 0
  const upstream = await openScriptedUpstream((connection) => {
    if (!connection.received.endsWith('\r\n\r\n')) return
    served++
    connection.received = ''
    connection.socket.write(OK)
  })
  t.after(() => upstream.close())
  let request = ''
  const program = await openProgram({
    settings: { PROVIDER_OPENAI_URL: upstream.url, PROXY_WORKERS: '1', ...settings },
    prepare: async (dataDir) => {
      const { json } = createCommandLineAt(dataDir, { nowMs: systemClock.now() })
      const made = await json<{ key: string }>('keys', 'create', '--name', 'one', '--rpm', '1')
      request = `GET /v1/openai/v1/models HTTP/1.1\r\nHost: weir\r\nX-SVC-API-Key: ${made.key}\r\n\r\n`
    },
  })
  t.after(async () => {
    program.signal('SIGCONT')
    await program.close()
  })
  const port = Number(new URL(program.addresses.proxy).port)
  /** The statuses of that many calls at once, and the text of the last one. */
  async function callAtOnce(calls: number) {
    const clients = await Promise.all(Array.from({ length: calls }, () => openRawClient(port)))
    for (const client of clients) client.send(request)
    const texts = await Promise.all(
      clients.map((client) => client.until((text) => /ok$|\}$/.test(text))),
    )
    for (const { socket } of clients) socket.destroy()
    const statuses = new Set(texts.map((text) => text.slice(9, 12)))
    return { statuses: [...statuses], last: texts.at(-1) ?? '' }
  }
  return { program, callAtOnce, served: () => served }
}

test('none of a flood passes while the supervisor does not count, and one does when it counts again', async (t) => {
  const { program, callAtOnce, served } = await openScene(t, {})
  await freeze(program.process.pid as number)
  const { statuses, last } = await callAtOnce(CALLS)
  assert.deepEqual([statuses, served()], [['503'], 0])
  assert.match(last, /\r\nX-SVC-Error: overloaded\r\n[^]*\r\nRetry-After: 1\r\n[^]*rate_limit_rpm/)
  program.signal('SIGCONT')
  // Refused until the supervisor has answered again, for which a busy machine takes a while.
  let passed = await callAtOnce(1)
  const until = systemClock.monotonic() + WAIT_MS_MAX
  while (passed.statuses[0] === '503' && systemClock.monotonic() < until)
    passed = await callAtOnce(1)
  assert.deepEqual(passed.statuses, ['200'])
  assert.deepEqual((await callAtOnce(CALLS)).statuses, ['429'])
  assert.equal(served(), 1)
})

test('with limits.onOutage allow they pass, as the operator wants', async (t) => {
  const { program, callAtOnce, served } = await openScene(t, { LIMITS_ON_OUTAGE: 'allow' })
  await freeze(program.process.pid as number)
  assert.deepEqual((await callAtOnce(CALLS)).statuses, ['200'])
  assert.equal(served(), CALLS)
})
