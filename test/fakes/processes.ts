// The processes of this machine: from /proc where the system has it, else from `ps`.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** The first letter of what `ps` calls its state: T is stopped. */
  readonly state: string
  readonly title: string
}

export function listProcesses(): RunningProcess[] {
  if (!existsSync('/proc/self/stat')) return listByPs()
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => readProcess(Number(pid)) ?? [])
}

/** Its children, and theirs. */
export function listDescendants(pid: number, among = listProcesses()): number[] {
  const children = among.filter(({ parent }) => parent === pid)
  return children.flatMap((child) => [child.pid, ...listDescendants(child.pid, among)])
}

/** Resolves once it takes part in nothing: the signal alone leaves it time for a connection. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  while (!listProcesses().some((found) => found.pid === pid && found.state === 'T')) await pause(1)
}

/** Runs something while another process has to do what this one would. */
export async function whileFrozen(pid: number, run: () => Promise<unknown>): Promise<void> {
  await freeze(pid)
  try {
    await run()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** Linux only. */
export function readResidentBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (match === null) throw new Error(`The kernel names no resident memory of process ${pid}.`)
  return Number(match[1]) * 1024
}

function readProcess(pid: number): RunningProcess | null {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [state = '', parent] = rest.split(' ')
    return {
      pid,
      parent: Number(parent),
      state,
      title: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    }
  } catch {
    // It ended while we looked.
    return null
  }
}

function listByPs(): RunningProcess[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state=,command='], { encoding: 'utf8' })
  return Array.from(lines.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S)\S*\s+(.*)$/gm), (match) => {
    const [, pid, parent, state = '', title = ''] = match
    return { pid: Number(pid), parent: Number(parent), state, title }
  })
}
