// Finds the Weirs that run on this machine, for a user who is in the wrong folder. It reads /proc,
// so it finds none where there is no such thing, and none that belong to others.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadConfig } from '../../config/config.ts'

export interface RunningWeir {
  readonly pid: number
  readonly dataDir: string
}

const PROCESSES = '/proc'
const PROCESSES_MAX = 100_000

/** One for each data directory. */
export function findRunningWeirs(): readonly RunningWeir[] {
  const found = new Map<string, RunningWeir>()
  for (const pid of listProcesses()) {
    const weir = readWeir(pid)
    if (weir !== null) found.set(weir.dataDir, weir)
  }
  return [...found.values()]
}

function listProcesses(): readonly number[] {
  try {
    const names = readdirSync(PROCESSES).filter((name) => /^\d+$/.test(name))
    return names.slice(0, PROCESSES_MAX).map(Number)
  } catch {
    return []
  }
}

/** Null for any other process, one of another user, and one that has ended meanwhile. */
function readWeir(pid: number): RunningWeir | null {
  const folder = join(PROCESSES, String(pid))
  try {
    const words = readWords(join(folder, 'cmdline'))
    if (!isStart(words)) return null
    const env = Object.fromEntries(readWords(join(folder, 'environ')).map(toPair))
    const cwd = readlinkSync(join(folder, 'cwd'))
    const { dataDir } = loadConfig({ env, cwd, file: findConfigFile(words) })
    return { pid, dataDir }
  } catch {
    return null
  }
}

/** Both end with a zero byte. */
function readWords(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1)
}

/** `node …/bin/weir start`, or `node …/src/cli/weir.ts start`; a proxy has data as well. */
function isStart(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^weir(?:\.ts)?$/.test(basename(word)))
  return at !== -1 && ['start', 'proxy'].includes(words[at + 1] ?? '')
}

function findConfigFile(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '--config' || word.startsWith('--config='))
  const word = words[at]
  return word === '--config' ? words[at + 1] : word?.slice('--config='.length)
}

function toPair(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}
