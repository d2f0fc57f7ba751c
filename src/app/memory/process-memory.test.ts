import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HEAP_FLAGS } from './process-memory.ts'

const MODULE = fileURLToPath(new URL('process-memory.ts', import.meta.url))
const GARBAGE_BYTES = 64_000_000

/** Ends when what a burst took is given back; a process that keeps it would run on. */
const BURST = `
  import { getHeapStatistics } from 'node:v8'
  import { giveBackMemory } from ${JSON.stringify(MODULE)}
  const size = () => getHeapStatistics().total_heap_size
  let burst = Array.from({ length: ${GARBAGE_BYTES / 64} }, (_, at) => ({ at, text: 'x' + at }))
  const grown = size()
  burst = null
  giveBackMemory('supervisor')
  const timer = setInterval(() => {
    if (size() > grown / 2) return
    clearInterval(timer)
    console.log('given back')
  }, 50)
`

test('a process that has nothing to do gives back what a burst took', () => {
  const words = ['--input-type=module', '--eval', BURST]
  assert.equal(execFileSync(process.execPath, words, { encoding: 'utf8' }), 'given back\n')
})

test('the engine knows the flags that processes are started with', () => {
  const flags = Object.values(HEAP_FLAGS).flat()
  const words = [...flags, '--eval', 'console.log(1)']
  assert.equal(execFileSync(process.execPath, words, { encoding: 'utf8' }), '1\n')
})
