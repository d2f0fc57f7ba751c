// A process of one's own, which answers each message with one. It ends with this process, whatever
// becomes of it.

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Only what hangs takes so long: the longest work is to store ten million calls. */
const ANSWER_MS_MAX = 3_600_000
const END_MS_MAX = 5000

export interface Child<Asked extends object, Said> {
  readonly pid: number
  /** One message at a time. */
  readonly ask: (message: Asked) => Promise<Said>
  close(): Promise<void>
}

export function openChild<Asked extends object, Said>(
  entry: URL,
  flags: readonly string[] = [],
): Child<Asked, Said> {
  const child = fork(fileURLToPath(entry), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...flags],
  })
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  return {
    pid: child.pid as number,
    async ask(message) {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS_MAX)])
      try {
        const answer = once(child, 'message', { signal })
        child.send(message)
        const [said] = (await answer) as [Said]
        return said
      } catch (cause) {
        throw new Error(`${entry.pathname.split('/').at(-1)} ended or said nothing.`, { cause })
      }
    },
    close: () => endProcess(child),
  }
}

/** What such a process does: it says what `answer` makes of each message. */
export function answerParent<Asked, Said>(answer: (asked: Asked) => Said | Promise<Said>): void {
  const say = async (asked: Asked): Promise<void> => {
    process.send?.((await answer(asked)) ?? {})
  }
  process.on('message', (asked: Asked) => void say(asked))
  process.once('disconnect', () => process.exit(0))
}

/** Asks it to end, and makes it end when it does not. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
  child.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}
