import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { mock, test } from 'node:test'
import { Worker } from 'node:worker_threads'

import { giveWay, readThreadTimes, watchForStarving } from './ledger-priority.ts'

/** Field 19 and 41 of `stat` in proc(5), counted from behind the name. */
const NICENESS = 16
const POLICY = 38
const SCHED_IDLE = 5

/** One field of each thread of this process, by its number. */
function readThreads(field: number): Map<string, number> {
  const threads = readdirSync('/proc/self/task')
  return new Map(
    threads.map((thread) => {
      const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return [thread, Number(fields[field])]
    }),
  )
}

const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'threads have priorities of their own on Linux only'

async function changedBy(wanted: string, field: number): Promise<number[]> {
  await stat('.')
  const before = readThreads(field)
  const code = `
    import { parentPort } from 'node:worker_threads'
    import { giveWay } from ${JSON.stringify(new URL('./ledger-priority.ts', import.meta.url).href)}
    parentPort.postMessage(giveWay('${wanted}'))
    parentPort.once('message', () => {})
  `
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const after = readThreads(field)
  await worker.terminate()
  const changed = [...after].filter(([thread, value]) => value !== (before.get(thread) ?? 0))
  assert.ok(changed.every(([thread]) => !before.has(thread)))
  return changed.map(([, value]) => value)
}

test('the thread that gives way is the only one of its process that does', { skip }, async () => {
  assert.deepEqual(await changedBy('low', NICENESS), [10])
  assert.deepEqual(await changedBy('low', POLICY), [])
  assert.deepEqual(await changedBy('idle', POLICY), [SCHED_IDLE])
})

test('a thread that hardly runs is told of once; one that rests or runs is not', { skip }, (t) => {
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

test("a thread's times are those of the kernel", { skip }, () => {
  assert.ok(readThreadTimes(String(process.pid)).ranNs > 0)
})

test('elsewhere nothing is changed, since it would slow the whole process', () => {
  const before = getPriority()
  giveWay('low', 'darwin')
  assert.equal(getPriority(), before)
})
