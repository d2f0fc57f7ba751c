// The program: bin/weir imports this file. It passes the process's streams to main, nothing more.

import { main } from './main.ts'

// A reader that closes its end early (`weir keys list | head -1`) is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  columns: process.stdout.columns,
})

// An impatient operator may send another signal now. Waiting for the natural end would remove the
// listeners first, so that the signal would kill the program and decide its exit code.
if (process.listenerCount('SIGTERM') > 0) process.exit()
