import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mock, test } from 'node:test'
import { promisify } from 'node:util'

import { giveWay, readProcessTimes, watchForStarving } from './give-way.ts'
import type { Priority } from './give-way.ts'

const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'read from /proc'
const run = promisify(execFile)

/** What each thread of a process has that gave way, when it had read a file and begun all its threads. */
async function listPriorities(wanted: Priority): Promise<unknown> {
  const file = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
  const code = `
    import { stat } from 'node:fs/promises'
    import { giveWay } from ${file('./give-way.ts')}
    import { listThreadPriorities } from ${file('../../test/fakes/thread-priorities.ts')}
    await stat('.')
    const isSo = giveWay('${wanted}')
    console.log(JSON.stringify([isSo, listThreadPriorities(process.pid)]))
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code])
  return JSON.parse(stdout)
}

test('all threads of the process give way, the helpers of the engine too', { skip }, async () => {
  assert.deepEqual(await listPriorities('low'), [true, ['nice 10 policy 0']])
  assert.deepEqual(await listPriorities('idle'), [true, ['nice 0 policy 5']])
})

test('where the tool is missing, the priority stays and nothing fails', (t) => {
  const { PATH } = process.env
  t.after(() => (process.env['PATH'] = PATH))
  process.env['PATH'] = ''
  assert.equal(giveWay('idle'), false)
})

test('one that hardly runs is told of once; one that rests or runs is not', (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.after(() => mock.timers.reset())
  const times = { ranNs: 1e9, waitedNs: 1e9 }
  let told = 0
  watchForStarving(
    () => ({ ...times }),
    () => (told += 1),
  )
  const pass = (ranSeconds: number, waitedSeconds: number): number => {
    times.ranNs += ranSeconds * 1e9
    times.waitedNs += waitedSeconds * 1e9
    mock.timers.tick(10_000)
    return told
  }
  assert.equal(pass(0, 0), 0)
  assert.equal(pass(0.1, 1), 0)
  assert.equal(pass(1, 9), 0)
  assert.equal(pass(0.1, 9.9), 1)
  assert.equal(pass(0.1, 9.9), 1)
})

test("a process's times are those of the kernel, over its threads", { skip }, () => {
  const { ranNs } = readProcessTimes(process.pid)
  const { user, system } = process.cpuUsage()
  const ownNs = (user + system) * 1000
  assert.ok(Math.abs(ranNs - ownNs) < 0.2 * ownNs + 5e7, `${ranNs} and ${ownNs}`)
})
