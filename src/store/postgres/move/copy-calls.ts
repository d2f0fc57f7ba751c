// Copies the calls that a target lacks or has otherwise, by buckets, as often as wanted. Must stay
// true: a group of buckets is written in one commit, so that a run that is cut short leaves whole
// buckets only, and the next one copies what is missing or has changed since.

import type { UsageRecord } from '../../../core/usage-record.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql } from '../../sql/sql.ts'
import type { CallSource } from './call-source.ts'
import { timesOf } from './record-buckets.ts'
import type { Bucket, Digests } from './record-buckets.ts'

/** A look at all records takes longer than any statement otherwise may. */
export const MOVE_STATEMENT_MS_MAX = 600_000
/** Calls of the last minutes may still come while Weir runs: their buckets are left for the end. */
const OPEN_MS = 1_800_000
/** In one commit. More would be copied again when one bucket of them has changed. */
const GROUP_CALLS = 100_000

export interface MoveProgress {
  readonly copied: number
  /** Buckets of 17.5 minutes. */
  readonly done: number
  readonly wanted: number
}

export type OnProgress = (progress: MoveProgress) => void

/** The two places that records are moved to: beside their sums, or a ClickHouse. */
export interface CallsTarget {
  /** Makes what is missing. Fails where the target is another's. */
  prepare(): Promise<void>
  /** The buckets that were copied, each with its digest then. */
  readMoved(): Promise<ReadonlyMap<Bucket, string>>
  /** Buckets that are others now, and perhaps some more, were not copied. */
  takeBack(buckets: readonly Bucket[]): Promise<void>
  /** In one commit. */
  write(buckets: readonly Bucket[], copy: CopyCalls): Promise<void>
  /** Of the calls themselves, as they are there. */
  readDigests(): Promise<Digests>
  /** With the commit of this, the move is over. */
  finish(sql: Sql): Promise<void>
  close(): Promise<void>
}

export type CopyCalls = (
  send: (records: readonly UsageRecord[]) => Promise<void>,
) => Promise<ReadonlyMap<Bucket, string>>

/** Returns how many calls were copied. `nowMs` is null once no more come. */
export async function copyCalls(
  source: CallSource,
  target: CallsTarget,
  {
    nowMs,
    onProgress,
  }: { readonly nowMs: number | null; readonly onProgress?: OnProgress | undefined },
): Promise<number> {
  const digests = await source.readDigests()
  const moved = await target.readMoved()
  await target.takeBack(
    [...moved.keys()].filter((bucket) => digests.get(bucket)?.digest !== moved.get(bucket)),
  )
  const there = await target.readMoved()
  const beforeMs = nowMs === null ? Infinity : nowMs - OPEN_MS
  const due = [...digests.keys()]
    .filter((bucket) => !there.has(bucket) && timesOf(bucket).toMs < beforeMs)
    .toSorted()
  let copied = 0
  let done = 0
  for (const group of toGroups(due, digests)) {
    await target.write(group, (send) =>
      source.copy(group, async (records) => {
        await send(records)
        copied += records.length
      }),
    )
    done += group.length
    onProgress?.({ copied, done, wanted: due.length })
  }
  return copied
}

function* toGroups(buckets: readonly Bucket[], digests: Digests): Generator<readonly Bucket[]> {
  let group: Bucket[] = []
  let calls = 0
  for (const bucket of buckets) {
    group.push(bucket)
    calls += digests.get(bucket)?.calls ?? 0
    if (calls < GROUP_CALLS) continue
    yield group
    group = []
    calls = 0
  }
  if (group.length > 0) yield group
}

/** Fails where the target's calls are others than the source's. */
export async function requireSameCalls(
  source: Pick<CallSource, 'readDigests'>,
  target: Pick<CallsTarget, 'readDigests'>,
): Promise<void> {
  const [wanted, there] = [await source.readDigests(), await target.readDigests()]
  const different = [...new Set([...wanted.keys(), ...there.keys()])]
    .filter((bucket) => wanted.get(bucket)?.digest !== there.get(bucket)?.digest)
    .toSorted()
  const [first] = different
  if (first === undefined) return
  const at = new Date(timesOf(first).fromMs).toISOString()
  const [before, after] = [wanted, there].map((digests) => digests.get(first)?.calls ?? 'no')
  throw new WeirError(
    'store_unusable',
    `${different.length} buckets of calls differ after copying: the one of ${at} has ${before} calls, there ${after} calls.`,
    { hint: 'The calls are where they were, unchanged. Report this.' },
  )
}
