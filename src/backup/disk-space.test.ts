import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { WeirError } from '../core/weir-error.ts'
import { formatBytes } from '../core/format-bytes.ts'
import { requireFreeBytes, toDiskError } from './disk-space.ts'

for (const [bytes, text] of [
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [1_572_864, '1.5 MiB'],
  [3 * 2 ** 30, '3.0 GiB'],
  [5000 * 2 ** 40, '5000.0 TiB'],
] as const) {
  test(`${bytes} bytes are shown as ${text}`, () => assert.equal(formatBytes(bytes), text))
}

test('a disk without the room is refused before anything is written', async () => {
  await requireFreeBytes(tmpdir(), 0)
  await assert.rejects(requireFreeBytes(tmpdir(), 2 ** 52), {
    code: 'data_dir_unusable',
    message: /are needed/,
  })
})

test('only what the file system says is error as such', () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })
  const error = toDiskError(full, 'It cannot be written')
  assert.ok(error instanceof WeirError && error.cause === full)
  assert.equal(error.message, 'It cannot be written (ENOSPC).')
  for (const other of [new Error('defect'), new WeirError('not_found', 'x')]) {
    assert.equal(toDiskError(other, 'x'), other)
  }
})
