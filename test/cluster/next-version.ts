// A version of Weir that comes after this one: the same program in a folder of its own, with one
// step more in each schema. What an upgrade means for nodes that run meanwhile is tried with it.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SCHEMAS = ['settings', 'ledger', 'nodes', 'limits'].map((store) =>
  join('src', 'store', store, 'postgres', 'schema.ts'),
)

export interface NextVersion {
  readonly version: string
  /** Its program. */
  readonly weir: string
  /** Adds a step to each schema: `compatibleBackTo` is how many steps older nodes must know. */
  addStep(text: string, compatibleBackTo: 'before' | 'after'): void
}

export function makeNextVersion(root: string, version: string): NextVersion {
  const folder = join(root, `weir-${version}`)
  mkdirSync(folder)
  for (const part of ['src', 'bin'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8')
  writeFileSync(
    join(folder, 'package.json'),
    text.replace(/"version": "[^"]+"/, `"version": "${version}"`),
  )
  return {
    version,
    weir: join(folder, 'bin', 'weir'),
    addStep(step, compatibleBackTo) {
      for (const file of SCHEMAS) addStep(join(folder, file), step, compatibleBackTo)
    },
  }
}

function addStep(file: string, text: string, compatibleBackTo: 'before' | 'after'): void {
  const source = readFileSync(file, 'utf8')
  const back = compatibleBackTo === 'before' ? 'steps.length' : 'steps.length + 1'
  const changed = source.replace(
    /export const (\w+_SCHEMA): PostgresSchema = \{([\s\S]*?)\n\}\n/,
    (_, name: string, body: string) => {
      // A name of its own for each step that is added.
      const older = `${name}_${source.length}`
      const step = `{ text: ${JSON.stringify(text)}, compatibleBackTo: ${back} }`
      return `const ${older}: PostgresSchema = {${body}\n}
export const ${name}: PostgresSchema = {
  ...${older},
  steps: [...${older}.steps, ${step.replace('steps', `${older}.steps`)}],
}
`
    },
  )
  if (changed === source) throw new Error(`${file} has no schema to add to`)
  writeFileSync(file, changed)
}
