import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const ENTRIES = ['main', 'proxy-role', 'api-role', 'ledger-role'].map(
  (name) => new URL(`../${name}.ts`, import.meta.url).href,
)

const LIST_LIBRARIES = `
  import { registerHooks } from 'node:module'
  const libraries = new Set()
  registerHooks({
    load(url, context, next) {
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules\\/)/.exec(url)?.[1]
      if (name !== undefined) libraries.add(name)
      return next(url, context)
    },
  })
  for (const entry of ${JSON.stringify(ENTRIES)}) await import(entry)
  console.log(JSON.stringify([...libraries].sort()))
`

// Each is in the memory of a process for as long as it runs, whether anyone uses it or not: another
// one is imported where it is used, or is added here (decision 0078).
test('the processes of a Weir load these libraries at their start, and no other', () => {
  const words = ['--input-type=module', '--eval', LIST_LIBRARIES]
  const listed = execFileSync(process.execPath, words, { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(listed), [
    '@asteasolutions/zod-to-openapi',
    '@hono/node-server',
    '@hono/zod-openapi',
    '@hono/zod-validator',
    '@stablelib/base64',
    'fast-sha256',
    'hono',
    'standardwebhooks',
    'zod',
  ])
})
