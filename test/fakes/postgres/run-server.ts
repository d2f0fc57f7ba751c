// Runs one PostgreSQL in a folder until another process has ended, then removes the folder. Its
// address is in the file `url` there. Arguments: the folder of its programs, the folder, the pid.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgresServer } from './postgres-server.ts'

const [bin = '', folder = '', run = ''] = process.argv.slice(2)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that ended and was not waited for still has an id.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' && !existsSync('/proc/self')
  }
}

try {
  const server = await openPostgresServer({ bin, folder: path.join(folder, 'server') })
  // Renamed, so that nobody reads half of it.
  writeFileSync(path.join(folder, 'part'), server.url)
  renameSync(path.join(folder, 'part'), path.join(folder, 'url'))
  while (isRunning(Number(run))) await pause(250)
  await server.close()
} catch (error) {
  writeFileSync(path.join(folder, 'failure'), String(error))
  while (isRunning(Number(run))) await pause(250)
}
rmSync(folder, { recursive: true, force: true })
