// Processes beside the one that answers the API, which do its long work and give way to callers meanwhile. Both ends are
// here. Must stay true: none of them outlives the process that began it, unless it gets no core to see that.

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { API_FLAGS } from './role-process.ts'

/**
 * They work on one core, beside callers who want the other: without the engine's helpers, which would take that one.
 * Callers' p99 beside a backlog was 2.5 to 3 ms with them. With little room for young objects a collection is over
 * within a millisecond; with 16 MB it took seven, and work in between cannot rest.
 */
export const BESIDE_FLAGS: readonly string[] = [
  '--single-threaded',
  '--v8-pool-size=0',
  '--min-semi-space-size=1',
  '--max-semi-space-size=1',
]

/** `entry` is a file of this directory. */
export function forkBeside(entry: string): ChildProcess {
  const others = process.execArgv.filter((flag) => !API_FLAGS.includes(flag))
  return fork(fileURLToPath(new URL(entry, import.meta.url)), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: [...others, ...BESIDE_FLAGS],
  })
}

/** One that died between two messages is dealt with by its end, not here. */
export function tellBeside<Message extends object>(child: ChildProcess, message: Message): void {
  if (child.connected) child.send(message, () => {})
}

/** In the process itself, first of all. */
export function stayBeside(title: string): void {
  process.title = title
  // Ctrl-C reaches every process of a terminal; when to end is said by the one that began this.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', () => process.exit(1))
}
