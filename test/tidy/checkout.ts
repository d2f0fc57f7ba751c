// The checkout as data for the rules: every file that would be committed, with its text. The rules
// get nothing else, so a test can hand them a made-up checkout and see them fail.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface CheckoutFile {
  /** From the top folder, with forward slashes: `src/core/money.ts`. */
  readonly path: string
  readonly text: string
}

export type Checkout = readonly CheckoutFile[]

/** A broken rule, in words that say where and why. */
export type Fault = string

export const TOP_FOLDER = path.join(import.meta.dirname, '..', '..')

// What .gitignore leaves out, and fixtures, whose bytes are other people's.
const LEFT_OUT: readonly string[] = [
  '.git',
  'node_modules',
  'data',
  'demo-data',
  'dist',
  'console/dist',
  'bench/.peers',
  'weir.yaml',
  'test/fixtures',
]

export function readCheckout(): Checkout {
  return readFolder('')
}

function readFolder(folder: string): CheckoutFile[] {
  const entries = readdirSync(path.join(TOP_FOLDER, folder), { withFileTypes: true })
  return entries.flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (LEFT_OUT.includes(name) || name.startsWith('.setup-lock')) return []
    if (entry.isDirectory()) return readFolder(name)
    if (!entry.isFile()) return []
    // A picture is there, and is no text.
    const text = name.endsWith('.png') ? '' : readFileSync(path.join(TOP_FOLDER, name), 'utf8')
    return [{ path: name, text }]
  })
}

export function isTest(file: CheckoutFile): boolean {
  return /\.test\.tsx?$/.test(file.path)
}

export function isCode(file: CheckoutFile): boolean {
  return /\.(?:tsx?|js|mjs|cjs)$/.test(file.path)
}

/** The program itself: what lies in src and is no test. */
export function isProgram(file: CheckoutFile): boolean {
  return file.path.startsWith('src/') && isCode(file) && !isTest(file)
}

/** The text with comments blanked out, line for line. Rules about code must not trip over prose. */
export function withoutComments(text: string): string {
  const tokens =
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|\/\/[^\n]*|\/\*[^]*?\*\//g
  return text.replaceAll(tokens, (token) =>
    token.startsWith('/') ? token.replaceAll(/[^\n]/g, ' ') : token,
  )
}

/** Each line of the code that matches, as `path:line`. */
export function linesMatching(file: CheckoutFile, pattern: RegExp): string[] {
  const lines = withoutComments(file.text).split('\n')
  return lines.flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}`] : []))
}

export interface Import {
  /** As it is written. */
  readonly specifier: string
  /** From the top folder, for a relative import; null for a package. */
  readonly target: string | null
  readonly isTypeOnly: boolean
  /** Loaded when the code comes to it, if ever. */
  readonly isLater: boolean
}

const STATEMENT = /^[ \t]*(?:import|export)\b([^'"`;]*?)\bfrom\s*['"]([^'"\n]+)['"]/gm
const SIDE_EFFECT = /^[ \t]*import\s*['"]([^'"\n]+)['"]/gm
const DYNAMIC = /\b(?:import|import\.meta\.resolve|require)\(\s*['"]([^'"\n]+)['"]/g
// A thread or process is started by the address of its file: that is a use of it like an import.
const ADDRESS = /\bnew URL\(\s*['"](\.[^'"\n]+\.[jt]sx?)['"]\s*,\s*import\.meta\.url/g

export function importsOf(file: CheckoutFile): Import[] {
  const code = withoutComments(file.text)
  const found = (specifier: string, clause = '', isLater = false): Import => ({
    specifier,
    target: specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(file.path), specifier)
      : null,
    isTypeOnly: /^\s*type\b/.test(clause),
    isLater,
  })
  return [
    ...code.matchAll(STATEMENT).map(([, clause, specifier = '']) => found(specifier, clause)),
    ...code.matchAll(SIDE_EFFECT).map(([, specifier = '']) => found(specifier)),
    ...code.matchAll(DYNAMIC).map(([, specifier = '']) => found(specifier, '', true)),
    ...code.matchAll(ADDRESS).map(([, specifier = '']) => found(specifier, '', true)),
  ]
}
