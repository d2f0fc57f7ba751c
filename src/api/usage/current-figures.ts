// Figures of the record as it stands, for pages that are read one after the other: they are of one
// moment, which lasts until another call is recorded. Must stay true: what is answered to one
// question after a call was recorded has it, and so has what is answered to any other.

import type { ApiServices } from '../api-options.ts'
import { KEPT_MS } from './snapshot-response.ts'

type Sources = Pick<ApiServices, 'ledgerProgress'> & {
  readonly usageSnapshots: Pick<ApiServices['usageSnapshots'], 'readKept'>
}

/** `about` is all that the answer depends on besides the record and the moment. */
export async function readCurrent<Answer extends object>(
  { ledgerProgress, usageSnapshots }: Sources,
  about: readonly string[],
  read: (atMs: number) => Promise<Answer>,
): Promise<Answer> {
  const tallies = await ledgerProgress.readTallies()
  const recorded = tallies.reduce((sum, tally) => sum + tally.recorded, 0)
  const readKept = async <Kept>(
    name: readonly unknown[],
    compute: (nowMs: number) => Promise<Kept>,
  ): Promise<Kept> => {
    const { body } = await usageSnapshots.readKept({
      name: JSON.stringify([...name, recorded]),
      compute: async (nowMs) => ({ text: JSON.stringify(await compute(nowMs)), keptMs: KEPT_MS }),
    })
    return JSON.parse(body.toString('utf8')) as Kept
  }
  const atMs = await readKept(['moment'], (nowMs) => Promise.resolve(nowMs))
  return readKept([...about, atMs], () => read(atMs))
}
