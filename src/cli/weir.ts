// The program that bin/weir imports: passes the process's streams to main.

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

// The natural end removes the listeners first: a second signal would then decide the exit code.
if (process.listenerCount('SIGTERM') > 0) process.exit()
