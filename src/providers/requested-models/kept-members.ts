// Which members of a request's JSON are searched for models. The caller's content is not kept. Must
// stay true: tools defined in content are searched, since a tool can name a model.

import type { IsKept, JsonKind, JsonStep, Kept } from '../../wire/json/json-tree.ts'
import { isContentPlace } from './content-places.ts'
import { foldCase, INNER_WORDS } from './name-words.ts'
import type { NameWords } from './name-words.ts'

/** Members that contain a request, or a list of them. */
export const ENVELOPES: ReadonlySet<JsonStep> = new Set([
  'requests',
  'request',
  'params',
  'body',
  'session',
  'response',
  'setup',
  'generateContentRequest',
  'modelInput',
])

/** Content that can define tools, and the path to them. Null is a list's element. */
const WINDOWS: ReadonlyMap<JsonStep, readonly JsonStep[]> = new Map([
  ['input', [null, 'tools']],
  ['messages', [null, 'content', null, 'tool']],
])

/** Members that contain tools, or parts of a tool. */
export const TOOLS: ReadonlySet<JsonStep> = new Set([
  'tools',
  'functions',
  'functionDeclarations',
  'function_declarations',
])
export const TOOL_PARTS: ReadonlySet<JsonStep> = new Set(['function', 'toolSpec'])

export function createIsKept(words: NameWords): IsKept {
  return (key, path, kind) => {
    const depth = countEnvelopes(path)
    const member = path[depth]
    if (member === undefined) return key === null || isKeptOfRequest(words, key, { path, kind })
    const window = WINDOWS.get(member)
    const inner = path.length - depth - 1
    // A member of an object, where content would be a list, is a setting.
    const isContent = inner > 0 ? path[depth + 1] === null : key === null
    if (window === undefined || !isContent || inner >= window.length) {
      return isKeptOfSettings(words, key, { path, kind })
    }
    const step = window[inner] as JsonStep
    const isOnTheWay = key === null || step === null ? key === step : foldCase(key) === step
    return isOnTheWay && isContainer(kind) ? 'filled' : false
  }
}

interface Value {
  readonly path: readonly JsonStep[]
  readonly kind: JsonKind
}

function isKeptOfRequest(words: NameWords, key: string, value: Value): Kept {
  if (words.content.has(key)) return false
  if (words.listedContent.has(key) && value.kind !== 'object') return false
  return isKeptOfSettings(words, key, value)
}

/** Texts and numbers are kept if a word makes them relevant, containers if they contain such. */
function isKeptOfSettings(words: NameWords, key: JsonStep, { path, kind }: Value): Kept {
  const inner = isContainer(kind) && 'filled'
  if (isInTable(words, key, path)) return true
  // An element belongs to its list's member.
  const parent = path.at(-1) ?? path.at(-2) ?? null
  if (key === null) return isNaming(words, parent) || inner
  switch (words.kindOf(key)) {
    case 'schema':
      return false
    case 'placed':
      return !isContentPlace(path, countEnvelopes(path), key) && inner
    case 'relevant':
      return true
    case 'type':
      return path.length === 0 || TOOLS.has(parent) || TOOL_PARTS.has(parent) || inner
    case 'id':
      return isNaming(words, parent) || TOOLS.has(parent) || parent === 'plugins' || inner
    case 'other':
      return isInnerWord(key, path) || inner
  }
}

function isInnerWord(key: string, path: readonly JsonStep[]): boolean {
  const outer = path.findLast((step) => step !== null && INNER_WORDS.has(step))
  return typeof outer === 'string' && INNER_WORDS.get(outer)?.word === foldCase(key)
}

/** In a table of models any member may be a model, and so may the elements of its list. */
function isInTable(words: NameWords, key: JsonStep, path: readonly JsonStep[]): boolean {
  const last = path.length - 1
  return isTable(words, path, last) || (key === null && isTable(words, path, last - 1))
}

function isTable(words: NameWords, path: readonly JsonStep[], last: number): boolean {
  const step = path[last] ?? path[last - 1] ?? null
  return step !== null && words.mapping.has(step)
}

function isNaming(words: NameWords, step: JsonStep): boolean {
  return step !== null && (words.naming.has(step) || words.endsInName(step))
}

function isContainer(kind: JsonKind): boolean {
  return kind === 'object' || kind === 'list'
}

/** How many steps lead to the innermost request. */
function countEnvelopes(path: readonly JsonStep[]): number {
  let depth = 0
  while (depth < path.length) {
    const step = path[depth] as JsonStep
    if (!ENVELOPES.has(step) && (step !== null || depth === 0)) break
    depth += 1
  }
  return depth
}
