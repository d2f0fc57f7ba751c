// The walk from socket to row that docs/architecture.md offers to a newcomer: few files, and short
// ones.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { TOP_FOLDER } from './tidy/checkout.ts'

const FILES_MAX = 20
const LINES_MAX = 250

const page = readFileSync(path.join(TOP_FOLDER, 'docs/architecture.md'), 'utf8')
const [, section = ''] = page.split(/^## One request, from socket to row$/m)
const files = [...(section.split(/^## /m)[0] ?? '').matchAll(/^\| `([\w/-]+\.ts)`/gm)].map(
  ([, file]) => file as string,
)

test(`the walk from socket to row has ${files.length} files, from the listener to the store`, () => {
  assert.ok(files.length >= 2 && files.length <= FILES_MAX)
  assert.equal(files[0], 'proxy/listen.ts')
  assert.match(files.at(-1) ?? '', /^store\//)
  assert.equal(new Set(files).size, files.length)
})

for (const file of files) {
  const text = readFileSync(path.join(TOP_FOLDER, 'src', file), 'utf8')
  const lines = text.split('\n').length - 1
  test(`${file}: ${lines} lines, at most ${LINES_MAX}`, () => {
    assert.ok(lines <= LINES_MAX, `${file} has ${lines} lines`)
  })
}
