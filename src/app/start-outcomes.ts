// How processes started: all at the start of the program, one at a time on a reload.

import { WeirError } from '../core/weir-error.ts'
import type { RoleProcess } from './role-process.ts'

/** A successor that is not ready by then is given up. */
const SUCCESSOR_START_MS_MAX = 30_000

/** Throws where one cannot start. */
export async function requireStarts(processes: readonly RoleProcess[]): Promise<void> {
  const requireStart = async ({ started }: RoleProcess): Promise<void> => {
    const outcome = await started
    if (outcome.kind === 'failed') throw outcome.error
  }
  await Promise.all(processes.map(requireStart))
}

/** Null when it is ready. */
export async function findStartFault({ role, started }: RoleProcess): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    const text = `the new ${role} process was not ready after ${SUCCESSOR_START_MS_MAX / 1000} s`
    timer = setTimeout(() => resolve(text), SUCCESSOR_START_MS_MAX)
  })
  const fault = started.then((outcome) => (outcome.kind === 'ready' ? null : toText(outcome.error)))
  try {
    return await Promise.race([fault, late])
  } finally {
    clearTimeout(timer)
  }
}

function toText(error: Error): string {
  const hint = error instanceof WeirError ? error.hint : null
  return hint === null ? error.message : `${error.message} ${hint}`
}
