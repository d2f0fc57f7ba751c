// Runs the test files of a room in one process, each as a suite of its own: its hooks are for its
// own tests, and a failure names it. A process for each file costs more than most files do.
// Must stay true: a file leaves nothing behind for the others, and a module that several of them
// load has no hooks at its top level, which would be those of the first; it asks
// `end-of-process.ts` instead.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'

import { isLongForm } from '../long-form.ts'
import './end-of-process.ts'

const TOP_FOLDER = path.join(import.meta.dirname, '..', '..')
/** For a file: one that hangs is named then, and the others go on. */
const FILE_MS_MAX = 600_000

/**
 * What a file with a long form says: it asks for the form itself, or runs a suite, looks with axe
 * or tries every PostgreSQL, which do. The others would only be run a second time.
 */
const LONG_FORM = /long-form\.ts'|Contract\(|find-barriers\.ts'|listPostgresPrograms\(/

export function runTogether(folder: string): void {
  const files = globSync(`${folder}/**/*.test.ts`, { cwd: TOP_FOLDER }).toSorted()
  if (files.length === 0) throw new Error(`There are no tests in ${folder}.`)
  // One suite around all: no test begins before the last file is loaded.
  suite(folder, async () => {
    for (const file of files) if (!isLongForm || hasLongForm(file)) await loadAsSuite(file)
  })
}

function hasLongForm(file: string): boolean {
  return LONG_FORM.test(readFileSync(path.join(TOP_FOLDER, file), 'utf8'))
}

function loadAsSuite(file: string): Promise<void> {
  return new Promise((resolve) => {
    suite(file, { timeout: FILE_MS_MAX }, async () => {
      try {
        await import(pathToFileURL(path.join(TOP_FOLDER, file)).href)
      } finally {
        resolve()
      }
    })
  })
}
