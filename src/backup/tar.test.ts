import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { BLOCK_BYTES, listTar, paddingBytes, TAR_END, toTarHeader } from './tar.ts'
import type { TarListing } from './tar.ts'

const TIME = Date.UTC(2026, 9, 15, 12)

function toTar(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text)
    const padding = Buffer.alloc(paddingBytes(content.length))
    return [toTarHeader({ name, bytes: content.length }, TIME), content, padding]
  })
  return Buffer.concat([...parts, TAR_END])
}

function writeTar(context: TestContext, bytes: Buffer): string {
  const directory = mkdtempSync(join(tmpdir(), 'weir-tar-'))
  context.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'a.tar')
  writeFileSync(file, bytes)
  return file
}

async function list(file: string, membersMax = 10): Promise<TarListing> {
  const handle = await open(file, 'r')
  try {
    return await listTar(handle, membersMax)
  } finally {
    await handle.close()
  }
}

test('what is written is found again, and by tar as well', async (context) => {
  const files = { 'manifest.json': '{}', 'empty.db': '', 'a.db': 'x'.repeat(BLOCK_BYTES) }
  const file = writeTar(context, toTar(files))
  const names = execFileSync('tar', ['tf', file], { encoding: 'utf8' })
  assert.deepEqual(names.trim().split('\n'), Object.keys(files))
  const text = execFileSync('tar', ['xOf', file, 'manifest.json'], { encoding: 'utf8' })
  assert.equal(text, '{}')
  assert.deepEqual(await list(file), {
    kind: 'whole',
    members: [
      { name: 'manifest.json', bytes: 2, offset: 512 },
      { name: 'empty.db', bytes: 0, offset: 1536 },
      { name: 'a.db', bytes: 512, offset: 2048 },
    ],
  })
})

test('a tar file that tar made is read', async (context) => {
  const file = writeTar(context, Buffer.alloc(0))
  writeFileSync(join(file, '..', 'one.db'), 'one')
  execFileSync('tar', ['--format=ustar', '-cf', file, '-C', join(file, '..'), 'one.db'])
  const listing = await list(file)
  assert.deepEqual(listing, { kind: 'whole', members: [{ name: 'one.db', bytes: 3, offset: 512 }] })
})

// Holes take no room: the file is as long as it says and nearly empty.
test('a file of more than 8 GiB keeps its size', async (context) => {
  const bytes = 9 * 2 ** 30
  const file = writeTar(context, toTarHeader({ name: 'large.db', bytes }, TIME))
  truncateSync(file, BLOCK_BYTES + bytes + TAR_END.length)
  assert.deepEqual(await list(file), {
    kind: 'whole',
    members: [{ name: 'large.db', bytes, offset: BLOCK_BYTES }],
  })
  assert.match(execFileSync('tar', ['tvf', file], { encoding: 'utf8' }), / 9663676416 /)
})

const MALFORMED: readonly (readonly [string, (whole: Buffer) => Buffer, RegExp])[] = [
  ['is empty', () => Buffer.alloc(0), /cut short/],
  ['is no tar file', () => Buffer.from('PK'.repeat(400)), /not a tar file/],
  ['lost its end', (whole) => whole.subarray(0, whole.length - TAR_END.length), /cut short/],
  ['lost a file', (whole) => whole.subarray(0, BLOCK_BYTES + 100), /a.db is cut short/],
  [
    'has a flipped bit in a header',
    (whole) => {
      whole[2] = (whole[2] as number) ^ 1
      return whole
    },
    /damaged/,
  ],
]

for (const [title, change, reason] of MALFORMED) {
  test(`a file that ${title} is refused`, async (context) => {
    const file = writeTar(context, change(toTar({ 'a.db': 'x'.repeat(700) })))
    const listing = await list(file)
    assert.equal(listing.kind, 'malformed')
    assert.match(listing.kind === 'malformed' ? listing.reason : '', reason)
  })
}

test('more files than are wanted, and what is not a file, are refused', async (context) => {
  const many = await list(writeTar(context, toTar({ a: '1', b: '2' })), 1)
  assert.deepEqual(many, { kind: 'malformed', reason: 'it contains more files than a backup has' })
  const file = writeTar(context, Buffer.alloc(0))
  execFileSync('tar', ['--format=ustar', '-cf', file, '-C', join(file, '..'), '.'])
  assert.match(JSON.stringify(await list(file)), /not a plain file/)
})
