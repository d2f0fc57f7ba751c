// How all workers' journals are doing, for other processes than the workers: which disks refuse
// lines, since when, and what that has cost.

import { join } from 'node:path'

import { readCounts } from './counts-file.ts'
import type { JournalCounts } from './counts-file.ts'
import { listWorkers } from './segments.ts'

export interface WorkerCounts extends JournalCounts {
  readonly worker: string
}

/** `dir` has the journals of all workers (journal-dir.ts). Workers without counts are left out. */
export async function readJournalCounts(dir: string): Promise<readonly WorkerCounts[]> {
  const workers = await listWorkers(dir)
  return workers.flatMap((worker) => {
    const counts = readCounts(join(dir, worker))
    return counts === null ? [] : [{ worker, ...counts }]
  })
}
