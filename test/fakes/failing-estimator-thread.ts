// Stands in for the thread that counts tokens, and does with each task what the task's text says.
// As the input it reports how many tasks it has seen.

import { parentPort } from 'node:worker_threads'
import type { EstimatorTask } from '../../src/estimates/estimator-thread.ts'

const port = parentPort
let seen = 0

port?.on('message', ({ text }: EstimatorTask) => {
  seen += 1
  if (text === 'hang') for (;;);
  if (text === 'exit') process.exit(1)
  if (text === 'throw') throw new Error('as asked')
  if (text !== 'silence') port.postMessage({ kind: 'answer', tokens: { input: seen, output: 0 } })
})
port?.postMessage({ kind: 'ready' })
