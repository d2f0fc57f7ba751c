// Runs a recipe as it stands on its page: the real tool, the real Weir, a simulated provider. Then
// asks Weir what it recorded. Must stay true: the only address that a tool is given is on
// this machine.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Language, Recipe, WayName } from '../../recipes/recipe.ts'
import { renderRecipe } from '../../recipes/render-recipe.ts'
import type { Rendered } from '../../recipes/render-recipe.ts'
import { findTarget } from '../../recipes/formats.ts'
import type { RequestRow } from '../../src/api/contract.ts'
import { certificatePath } from '../../test/fakes/certificates.ts'
import { RECIPE_ANSWER, RECIPE_TOKENS } from '../../test/fakes/upstreams/recipe-provider.ts'
import type { RecipeCall } from '../../test/fakes/upstreams/recipe-provider.ts'
import type { Tool } from './install-tool.ts'
import { CREDENTIALS } from './recipe-scene.ts'
import type { RecipeScene } from './recipe-scene.ts'
import { describeEnd, runCommand } from './run-command.ts'

const RUN_MS_MAX = 240_000
const RECORDS_MS_MAX = 15_000
/** A token may ask sixty times a minute. */
const LOOK_MS = 300
/** They must not wait for addresses that cannot be reached, nor ask questions. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  GEMINI_TELEMETRY_ENABLED: 'false',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  AWS_CA_BUNDLE: certificatePath('authority.pem'),
  AIDER_ANALYTICS_DISABLE: 'true',
  AIDER_CHECK_UPDATE: 'false',
  AIDER_GIT: 'false',
  AIDER_YES_ALWAYS: 'true',
  AIDER_SHOW_MODEL_WARNINGS: 'false',
  // What Node has compiled once is there for the next run.
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../../node_modules/.cache/weir'),
} as const

export type Outcome =
  | { readonly kind: 'passed'; readonly calls: number }
  | { readonly kind: 'failed'; readonly why: string }

interface Trial {
  readonly recipe: Recipe
  readonly way: WayName
  readonly tool: Tool
}

export async function tryRecipe(scene: RecipeScene, trial: Trial): Promise<Outcome> {
  const { recipe, way, tool } = trial
  const { program, provider, keys } = scene
  const { id, key } = keys.get(`${recipe.id} ${way}`) ?? { id: '', key: '' }
  const proxyUrl = recipe.needsHttps === true ? scene.tlsUrl : program.addresses.proxy
  const dims = way === 'header' ? 'team=search' : ''
  const rendered = renderRecipe(recipe, way, { proxyUrl, key, dims })
  if (rendered === null) return { kind: 'failed', why: 'There is no such way.' }
  const folder = createFolder(rendered, trial)
  const home = path.join(folder, 'home')
  mkdirSync(home)
  const command = writeProgram(rendered, { folder, home })
  provider.takeCalls()
  const end = await runCommand({
    command: 'sh',
    words: ['-c', `set -eu\n${rendered.variables}\n${command}\n`],
    cwd: folder,
    env: {
      ...QUIET,
      ...tool.environment,
      PATH: [...tool.path, path.dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      ...(way === 'header' ? { [recipe.keyVariable]: CREDENTIALS.header } : {}),
    },
    timeoutMs: RUN_MS_MAX,
  })
  rmSync(folder, { recursive: true, force: true })
  const calls = provider.takeCalls()
  if (end.code !== 0) return { kind: 'failed', why: describeEnd(end) }
  if (!end.out.includes(RECIPE_ANSWER)) {
    return { kind: 'failed', why: `It did not print the answer. ${describeEnd(end)}` }
  }
  const rows = await readRows(scene, { keyId: id, count: calls.length })
  const fault = findLeak(calls, { key, way }) ?? findFault(trial, calls, rows)
  return fault === null ? { kind: 'passed', calls: rows.length } : { kind: 'failed', why: fault }
}

const PROGRAMS: Readonly<Record<Exclude<Language, 'shell' | 'text'>, readonly [string, string]>> = {
  python: ['main.py', 'python main.py'],
  js: ['main.mjs', 'node main.mjs'],
  go: ['main.go', 'go run main.go'],
  java: ['Main.java', "java -cp '../lib/*' Main.java"],
}

/**
 * A program finds its packages in the folders above it. A command is run outside of this checkout,
 * which it would take for the project to work on.
 */
function createFolder({ language }: Rendered, { tool, way }: Trial): string {
  if (language === 'shell') return mkdtempSync(path.join(tmpdir(), 'weir-recipe-'))
  const folder = path.join(tool.folder, `run-${way}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return folder
}

/** Puts the files where they belong; returns what starts it. */
function writeProgram(rendered: Rendered, place: { folder: string; home: string }): string {
  const { file, language, text } = rendered
  if (file !== null) {
    const target = file.path.replace('~', place.home)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, file.text)
  }
  if (language === 'shell' || language === 'text') return text
  const [name, command] = PROGRAMS[language]
  writeFileSync(path.join(place.folder, name), `${text}\n`)
  return command
}

interface Wanted {
  readonly keyId: string
  readonly count: number
}

/** The calls of a key, once there are so many. */
async function readRows(scene: RecipeScene, { keyId, count }: Wanted): Promise<RequestRow[]> {
  const { program, token } = scene
  const url = `${program.addresses.api}/v1/requests?limit=100&api_key=${encodeURIComponent(keyId)}`
  const until = performance.now() + RECORDS_MS_MAX
  let hasWaited = false
  for (;;) {
    await pause(LOOK_MS)
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    if (response.status === 429 && !hasWaited) {
      hasWaited = true
      await pause(1000 * Number(response.headers.get('retry-after')))
      continue
    }
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const { rows } = (await response.json()) as { rows: RequestRow[] }
    if (rows.length >= count || performance.now() > until) return rows
  }
}

/** The provider gets its own credential, and nothing that is Weir's. */
function findLeak(
  calls: readonly RecipeCall[],
  { key, way }: { key: string; way: WayName },
): string | null {
  for (const { path: url, rawHeaders } of calls) {
    const head = rawHeaders.join('\n')
    if (head.includes(key) || /^x-svc-/im.test(head)) return `Weir's key reached ${url}.`
    if (!head.includes(CREDENTIALS[way])) return `The credential did not reach ${url}.`
  }
  return null
}

function findFault(
  { recipe }: Trial,
  calls: readonly RecipeCall[],
  rows: readonly RequestRow[],
): string | null {
  const target = findTarget(recipe.format, recipe.provider)
  const unknown = calls.find(({ isKnown }) => !isKnown)
  if (unknown !== undefined) return `The simulation lacks ${unknown.method} ${unknown.path}.`
  if (rows.length !== calls.length) return `${calls.length} calls, ${rows.length} recorded.`
  if (recipe.kind === 'library' && rows.length !== 1) return `${rows.length} calls instead of one.`
  const odd = rows.find(
    ({ status, provider, dims }) =>
      status !== 'delivered' || provider !== recipe.provider || dims['team'] !== 'search',
  )
  if (odd !== undefined) return `Recorded otherwise: ${JSON.stringify(odd)}`
  const isComplete = rows.some(
    ({ model, usage, input_tokens: input, output_tokens: output, cost_usd: cost }) =>
      (recipe.model ?? target?.model)?.endsWith(model ?? ' ') === true &&
      usage === 'reported' &&
      input === RECIPE_TOKENS.input &&
      output === RECIPE_TOKENS.output &&
      cost !== null,
  )
  return isComplete ? null : `No call with model, tokens and cost: ${JSON.stringify(rows)}`
}
