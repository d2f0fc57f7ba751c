// How the kernel ranks the threads of a process (proc(5), `stat`).

import { readFileSync, readdirSync } from 'node:fs'

/** Each kind once. */
export function listThreadPriorities(pid: number): string[] {
  const found = readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const text = readStat(`/proc/${pid}/task/${thread}/stat`)
    if (text === null) return []
    // The name in brackets may hold blanks; fields are counted from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [`nice ${fields[16]} policy ${fields[38]}`]
  })
  return [...new Set(found)]
}

/** Null when it ended since it was listed. */
function readStat(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
