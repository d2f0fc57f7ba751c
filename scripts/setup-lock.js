// One set-up at a time in a checkout: a lock folder, made by mkdir because that is atomic
// everywhere. Its owner touches it while it works, so a lock whose owner was killed is noticed and
// taken over.

import * as fs from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'

const POLL_INTERVAL_MS = 200
const HEARTBEAT_INTERVAL_MS = 2000
// For an owner in another container, whose process cannot be asked for: many missed heartbeats.
const SILENCE_MAX_MS = 30_000

export async function withSetupLock(root, work) {
  const lock = path.join(root, '.setup-lock')
  let hasSaid = false
  while (!tryTake(lock)) {
    if (isStale(lock)) {
      discard(lock)
      continue
    }
    if (!hasSaid) process.stderr.write('weir: another set-up is running here, waiting for it…\n')
    hasSaid = true
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  // Also when work() ends the process.
  const release = () => fs.rmSync(lock, { recursive: true, force: true })
  process.once('exit', release)
  const heartbeat = setInterval(() => touch(lock), HEARTBEAT_INTERVAL_MS)
  try {
    await work()
  } finally {
    clearInterval(heartbeat)
    process.removeListener('exit', release)
    release()
  }
}

function tryTake(lock) {
  try {
    fs.mkdirSync(lock)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  fs.writeFileSync(ownerFile(lock), JSON.stringify({ pid: process.pid, host: hostname() }))
  return true
}

const ownerFile = (lock) => path.join(lock, 'owner.json')

function touch(lock) {
  const now = new Date()
  try {
    fs.utimesSync(lock, now, now)
  } catch {
    // The lock was removed by hand; the work itself is not worse for it.
  }
}

function isStale(lock) {
  try {
    if (Date.now() - fs.statSync(lock).mtimeMs > SILENCE_MAX_MS) return true
    const owner = JSON.parse(fs.readFileSync(ownerFile(lock), 'utf8'))
    return owner.host === hostname() && !isAlive(owner.pid)
  } catch {
    // Just being made, or just being released: the next round will show which.
    return false
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Renamed first: of two that find the lock stale, only one can. */
function discard(lock) {
  const aside = `${lock}-${process.pid}`
  try {
    fs.renameSync(lock, aside)
  } catch {
    return
  }
  fs.rmSync(aside, { recursive: true, force: true })
}
