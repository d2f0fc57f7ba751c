import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

import { giveWay } from './ledger-priority.ts'

/** How nice each thread of this process is, by its number (proc(5), field 19 of `stat`). */
function readNiceness(): Map<string, number> {
  const threads = readdirSync('/proc/self/task')
  return new Map(
    threads.map((thread) => {
      const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return [thread, Number(fields[16])]
    }),
  )
}

const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'threads have priorities of their own on Linux only'

test('the thread that gives way is the only one of its process that does', { skip }, async () => {
  await stat('.')
  const before = readNiceness()
  const code = `
    import { parentPort } from 'node:worker_threads'
    import { giveWay } from ${JSON.stringify(new URL('./ledger-priority.ts', import.meta.url).href)}
    giveWay()
    parentPort.postMessage('nice')
    parentPort.once('message', () => {})
  `
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
  const worker = new Worker(url)
  await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const after = readNiceness()
  const changed = [...after].filter(([thread, nice]) => nice !== (before.get(thread) ?? 0))
  await worker.terminate()
  assert.equal(changed.length, 1)
  assert.equal(before.has((changed[0] as [string, number])[0]), false)
})

test('elsewhere nothing is changed, since it would slow the whole process', () => {
  const before = getPriority()
  giveWay('darwin')
  assert.equal(getPriority(), before)
})
