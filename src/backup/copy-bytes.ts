// Copies bytes from one file to another, with their SHA-256, in chunks of a fixed size.

import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 1_048_576

export interface ByteRange {
  readonly handle: FileHandle
  readonly offset: number
}

export interface CopyOptions {
  readonly bytes: number
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Throws where the source ends early. Returns the SHA-256 in hex. */
export async function copyBytes(
  from: ByteRange,
  to: ByteRange,
  { bytes, onProgress }: CopyOptions,
): Promise<string> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, bytes)))
  let done = 0
  while (done < bytes) {
    const length = Math.min(chunk.length, bytes - done)
    const { bytesRead } = await from.handle.read(chunk, 0, length, from.offset + done)
    if (bytesRead === 0) throw new Error(`the file ends after ${done} of ${bytes} bytes`)
    const part = chunk.subarray(0, bytesRead)
    hash.update(part)
    await writeWhole(to.handle, part, to.offset + done)
    done += bytesRead
    onProgress?.(done, bytes)
  }
  return hash.digest('hex')
}

/** One call may write less than it was given. */
export async function writeWhole(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}
