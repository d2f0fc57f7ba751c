// Compiles src into dist for the package: Node strips no types below node_modules. Must stay true:
// dist has the folders of src, so that what is found from a file's place is found from there, too.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '..')
const SRC = path.join(ROOT, 'src')
const DIST = path.join(ROOT, 'dist')
const TSC = path.join(ROOT, 'node_modules', '.bin', 'tsc')

// A thread or process is started by the address of its file, which tsc takes for any other text.
const ADDRESS = /(\bnew URL\(\s*'\.[^'\n]+)\.ts('\s*,\s*import\.meta\.url)/g

function compile(): boolean {
  const project = path.join(import.meta.dirname, 'tsconfig.package.json')
  return spawnSync(TSC, ['-p', project], { stdio: 'inherit' }).status === 0
}

function listFiles(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
}

function renameAddresses(): void {
  for (const name of listFiles(DIST).filter((file) => file.endsWith('.js'))) {
    const file = path.join(DIST, name)
    const text = fs.readFileSync(file, 'utf8')
    const renamed = text.replaceAll(ADDRESS, '$1.js$2')
    if (renamed !== text) fs.writeFileSync(file, renamed)
  }
}

function copyData(): void {
  for (const name of listFiles(SRC).filter((file) => file.endsWith('.json'))) {
    fs.copyFileSync(path.join(SRC, name), path.join(DIST, name))
  }
}

fs.rmSync(DIST, { recursive: true, force: true })
if (compile()) {
  renameAddresses()
  copyData()
} else {
  process.exitCode = 1
}
