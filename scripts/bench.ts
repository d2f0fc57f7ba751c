// Runs the benchmarks one after the other, so that none disturbs another: all of bench/, or the
// named.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '..', 'bench')
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -'.ts'.length))
  .sort()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !known.includes(name))

if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  process.exitCode = 1
} else {
  for (const name of wanted.length > 0 ? wanted : known) {
    console.log(`\n── ${name}`)
    const { status } = spawnSync(process.execPath, [path.join(folder, `${name}.ts`)], {
      stdio: 'inherit',
    })
    // The others still run: one broken figure should not cost the rest.
    if (status !== 0) process.exitCode = 1
  }
}
