import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyBytes } from './copy-bytes.ts'

test('a part of a file is copied to a place in another, with its checksum', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-copy-'))
  context.after(() => rmSync(directory, { recursive: true }))
  const content = Buffer.alloc(2_500_000, 'weir ')
  writeFileSync(join(directory, 'from'), content)
  const from = await open(join(directory, 'from'), 'r')
  const to = await open(join(directory, 'to'), 'w+')
  context.after(() => Promise.all([from.close(), to.close()]))
  const progress: number[] = []
  const sha256 = await copyBytes(
    { handle: from, offset: 7 },
    { handle: to, offset: 3 },
    { bytes: 2_400_000, onProgress: (done) => progress.push(done) },
  )
  const part = content.subarray(7, 2_400_007)
  assert.equal(sha256, createHash('sha256').update(part).digest('hex'))
  assert.ok(readFileSync(join(directory, 'to')).subarray(3).equals(part))
  assert.deepEqual([progress.length, progress.at(-1)], [3, 2_400_000])
  const beyond = copyBytes(
    { handle: from, offset: 0 },
    { handle: to, offset: 0 },
    { bytes: 2_500_001 },
  )
  await assert.rejects(beyond, /ends after 2500000 of 2500001 bytes/)
})
