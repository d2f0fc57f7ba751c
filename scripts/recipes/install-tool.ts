// Installs the pinned packages of a recipe, once, into a folder of its own below
// node_modules/.cache. What the checkout has at the same version is used from there.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Package, Recipe } from '../../recipes/recipe.ts'
import { describeEnd, runCommand } from './run-command.ts'

const CHECKOUT = path.join(import.meta.dirname, '..', '..')
const CACHE = path.join(CHECKOUT, 'node_modules', '.cache', 'recipes')
const INSTALL_MS_MAX = 1_800_000
const PYTHON_MINOR_MIN = 10

export interface Tool {
  readonly folder: string
  /** Folders to look for commands in, before the others. */
  readonly path: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export type Installed =
  | { readonly kind: 'ready'; readonly tool: Tool }
  | { readonly kind: 'missing'; readonly needs: string }
  | { readonly kind: 'failed'; readonly why: string }

export async function installTool(recipe: Recipe): Promise<Installed> {
  const folder = path.join(CACHE, recipe.id)
  const [first] = recipe.packages
  const needs = await findMissing(first?.from ?? 'curl')
  if (needs !== null) return { kind: 'missing', needs }
  const stamp = JSON.stringify(recipe.packages)
  const stampFile = path.join(folder, 'installed.json')
  const isInstalled = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (!isInstalled) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const why = hasOwn(recipe) ? null : await install(recipe, folder)
    if (why !== null) return { kind: 'failed', why }
    writeFileSync(stampFile, stamp)
  }
  return { kind: 'ready', tool: toTool(recipe, folder) }
}

/** Whether npm has installed all of it with this checkout. */
export function hasOwn({ packages }: Recipe): boolean {
  const manifest = JSON.parse(readFileSync(path.join(CHECKOUT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return packages.every(
    ({ from, name, version }) => from === 'npm' && manifest.devDependencies[name] === version,
  )
}

/** What has to be on the machine, where it is not. */
async function findMissing(from: Package['from'] | 'curl'): Promise<string | null> {
  switch (from) {
    case 'npm':
      return null
    case 'pip':
      return (await hasPython()) ? null : `Python 3.${PYTHON_MINOR_MIN} or newer, with venv`
    case 'go':
      return (await canRun('go', ['version'])) ? null : 'Go'
    case 'maven':
      return (await canRun('mvn', ['-version'])) && (await canRun('javac', ['-version']))
        ? null
        : 'a JDK 17 or newer, and Maven'
    case 'curl':
      return (await canRun('curl', ['--version'])) ? null : 'curl'
  }
}

function hasPython(): Promise<boolean> {
  const test = `import sys, venv, ensurepip; sys.exit(sys.version_info < (3, ${PYTHON_MINOR_MIN}))`
  return canRun('python3', ['-c', test])
}

async function canRun(command: string, words: readonly string[]): Promise<boolean> {
  try {
    const options = { cwd: CHECKOUT, env: process.env, timeoutMs: 60_000 }
    return (await runCommand({ command, words, ...options })).code === 0
  } catch {
    return false
  }
}

/** What went wrong, if anything did. */
async function install({ packages }: Recipe, folder: string): Promise<string | null> {
  const [first] = packages
  if (first === undefined) return null
  if (first.from === 'npm') writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  if (first.from === 'maven') writeFileSync(path.join(folder, 'pom.xml'), toPom(first))
  for (const [command, ...words] of toSteps(first, packages)) {
    const fault = await runStep(folder, command, words)
    if (fault !== null) return fault
  }
  return null
}

type Step = readonly [command: string, ...words: string[]]

function toSteps(first: Package, packages: readonly Package[]): readonly Step[] {
  const { from, name, version } = first
  switch (from) {
    case 'pip':
      return [
        ['python3', '-m', 'venv', 'venv'],
        ['venv/bin/pip', 'install', '--quiet', ...packages.map(toPip)],
      ]
    case 'npm':
      return [['npm', 'install', '--no-audit', '--no-fund', ...packages.map(toNpm)]]
    case 'go':
      return [
        ['go', 'mod', 'init', 'recipe'],
        ['go', 'get', `${name}@${version}`, `${name}/option@${version}`],
        // It takes minutes, which a run does not have.
        ['go', 'build', name, `${name}/option`],
      ]
    case 'maven':
      return [['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib']]
  }
}

const toPip = ({ name, version }: Package): string => `${name}==${version}`
const toNpm = ({ name, version }: Package): string => `${name}@${version}`

function toPom({ name, version }: Package): string {
  const [group, artifact] = name.split(':')
  const self = '<groupId>recipe</groupId><artifactId>recipe</artifactId><version>1</version>'
  const used = `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`
  return `<project><modelVersion>4.0.0</modelVersion>${self}<dependencies><dependency>${used}</dependency></dependencies></project>\n`
}

async function runStep(cwd: string, command: string, words: string[]): Promise<string | null> {
  const end = await runCommand({
    command: command.includes('/') ? path.join(cwd, command) : command,
    words,
    cwd,
    env: { ...process.env, ...toGo(cwd) },
    timeoutMs: INSTALL_MS_MAX,
  })
  return end.code === 0 ? null : `${command} ${words.join(' ')}: ${describeEnd(end)}`
}

/** Go keeps what it downloads and compiles below the home folder, which is another in each run. */
function toGo(folder: string): Readonly<Record<string, string>> {
  return {
    GOPATH: path.join(folder, 'gopath'),
    GOCACHE: path.join(folder, 'gocache'),
    GOFLAGS: '-mod=mod -modcacherw',
  }
}

function toTool({ packages }: Recipe, folder: string): Tool {
  const isGo = packages[0]?.from === 'go'
  return {
    folder,
    path: [path.join(folder, 'venv', 'bin'), path.join(folder, 'node_modules', '.bin')],
    environment: isGo ? { ...toGo(folder), GOPROXY: 'off' } : {},
  }
}
