// Checks free space before something large is written, and explains errors of the disk.

import { statfs } from 'node:fs/promises'
import { formatBytes } from '../core/format-bytes.ts'
import { WeirError } from '../core/weir-error.ts'

/** Left free: journals and stores may be on the same disk. */
const MARGIN_BYTES = 67_108_864

export async function requireFreeBytes(dir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  if (bavail * bsize >= bytes + MARGIN_BYTES) return
  throw new WeirError(
    'data_dir_unusable',
    `The disk of ${dir} has ${formatBytes(bavail * bsize)} free; ${formatBytes(bytes + MARGIN_BYTES)} are needed.`,
    { hint: 'Free some space there, or choose another disk. Nothing was written.' },
  )
}

/** Turns a file system error into one an operator can act on; others are returned unchanged. */
export function toDiskError(error: unknown, what: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof WeirError || typeof code !== 'string' || syscall === undefined) return error
  return new WeirError('data_dir_unusable', `${what} (${code}).`, {
    hint: 'Check the free space and the disk, then try again. No partial file was left.',
    cause: error,
  })
}
