// Runs the benchmarks one after the other, so that none disturbs another: all of bench/, or the
// named. Options behind the names are for each of them: `query --store postgres`.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '..', 'bench')
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -'.ts'.length))
  .sort()
const words = process.argv.slice(2)
const firstOption = words.findIndex((word) => word.startsWith('--'))
const wanted = firstOption === -1 ? words : words.slice(0, firstOption)
const options = words.slice(wanted.length)
const unknown = wanted.filter((name) => !known.includes(name))

if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  process.exitCode = 1
} else {
  for (const name of wanted.length > 0 ? wanted : known) {
    console.log(`\n── ${name}`)
    const { status } = spawnSync(process.execPath, [path.join(folder, `${name}.ts`), ...options], {
      stdio: 'inherit',
    })
    // The others still run: one broken figure should not cost the rest.
    if (status !== 0) process.exitCode = 1
  }
}
