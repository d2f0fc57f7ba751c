// How a child process ended, in words.

import type { ChildProcess } from 'node:child_process'

export function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const reason = signal ?? `exit code ${code}`
      // Its last messages may still be on their way to us when it is gone; the channel closes behind them.
      if (child.connected) child.once('disconnect', () => resolve(reason))
      else resolve(reason)
    })
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message)
    })
  })
}
