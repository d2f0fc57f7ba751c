// The program: bin/weir imports this file. It lends the process's streams to main and nothing more.

import { main } from './main.ts'

// A reader that closes its end early (`weir keys list | head -1`) is no error of ours.
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

// Whoever insists may send one more signal now. An end that is waited for stops listening first and lets that signal kill
// the program, whose exit code it would be.
if (process.listenerCount('SIGTERM') > 0) process.exit()
