// docs/call-failed.md is where people look a code up: it has each one that there is, once, with the
// status that it is answered with.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERROR_KINDS } from '../src/core/weir-error.ts'
import { TOP_FOLDER } from './tidy/checkout.ts'

test('every code of Weir is on the page of codes, with its status', () => {
  const page = readFileSync(join(TOP_FOLDER, 'docs/call-failed.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` +\|(?: (\d{3}) +\|)?/gm)]
  assert.deepEqual(new Set(rows.map(([, code]) => code)), new Set(Object.keys(ERROR_KINDS)))
  assert.equal(rows.length, Object.keys(ERROR_KINDS).length)
  for (const [, code = '', status] of rows) {
    const known = ERROR_KINDS[code as keyof typeof ERROR_KINDS].status
    if (status !== undefined) assert.equal(Number(status), known, code)
  }
})
