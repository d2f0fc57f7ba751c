// What came of the runs: one entry for each recipe that was run, kept in docs/recipes/results.json.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { WAYS } from '../../recipes/recipe.ts'
import type { Recipe, WayName } from '../../recipes/recipe.ts'

export const PAGES_FOLDER = path.join(import.meta.dirname, '..', '..', 'docs', 'recipes')
const RESULTS_FILE = path.join(PAGES_FOLDER, 'results.json')

export interface Result {
  /** `openai 7.53.0` */
  readonly tool: string
  /** `YYYY-MM-DD` */
  readonly date: string
  /** How many calls it made in each way; null where it failed, absent where it was not tried. */
  readonly calls: Readonly<Partial<Record<WayName, number | null>>>
}

export type Results = Readonly<Record<string, Result>>

export function readResults(): Results {
  if (!existsSync(RESULTS_FILE)) return {}
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results
}

export function writeResults(results: Results): void {
  writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`)
}

export function toToolName({ packages, title }: Recipe): string {
  const [first] = packages
  return first === undefined ? title : `${first.name} ${first.version}`
}

/** In words; a result of another version of the tool is none. */
export function describeResult(recipe: Recipe, result: Result | undefined): string {
  if (recipe.kind === 'application') return 'not run by us'
  if (result === undefined || result.tool !== toToolName(recipe)) return 'not run yet'
  const texts = WAYS.flatMap((way) => {
    const calls = result.calls[way]
    if (calls === undefined) return []
    return [`${WAY_NAMES[way]}: ${calls === null ? 'failed' : 'works'}`]
  })
  return texts.join('; ')
}

export const WAY_NAMES: Readonly<Record<WayName, string>> = {
  header: 'header',
  stored: 'stored credential',
}
