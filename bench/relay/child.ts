// A process of the benchmark's own, which says something when it is ready and answers each message
// with one. It ends with this process, whatever becomes of it.

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ANSWER_MS_MAX = 20_000

export interface Child<Message> {
  readonly pid: number
  /** What it said when it was ready. */
  readonly first: Message
  ask(message: object): Promise<Message>
  close(): Promise<void>
}

export async function openChild<Message>(
  entry: URL,
  words: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Child<Message>> {
  const child = fork(fileURLToPath(entry), [...words], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...flags],
  })
  const first = await receive<Message>(child, entry)
  return {
    pid: child.pid as number,
    first,
    ask: async (message) => {
      const answer = receive<Message>(child, entry)
      child.send(message)
      return answer
    },
    close: () => endProcess(child),
  }
}

async function receive<Message>(child: ChildProcess, entry: URL): Promise<Message> {
  const name = entry.pathname.split('/').at(-1)
  const ended = new AbortController()
  const giveUp = (): void => ended.abort(new Error(`${name} ended or said nothing.`))
  const timer = setTimeout(giveUp, ANSWER_MS_MAX)
  child.once('exit', giveUp)
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [Message]
    return message
  } finally {
    clearTimeout(timer)
    child.off('exit', giveUp)
  }
}

const END_MS_MAX = 5000

/** Asks it to end, and makes it end when it does not. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
  child.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}
