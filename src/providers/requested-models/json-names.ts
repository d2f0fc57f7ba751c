// Finds every model that a request's JSON names. Must stay true: all but the caller's content is
// walked, at any depth; what two readers could read differently, or what hides a model, is refused.

import type { JsonEntries, JsonList, JsonNode } from '../../wire/json/json-tree.ts'
import { LONG, NUMBER } from '../../wire/json/json-tree.ts'
import { createStrictJson } from '../../wire/json/strict-json.ts'
import type { JsonFault, StrictJson } from '../../wire/json/strict-json.ts'
import { findUnnamed } from './choosing-tools.ts'
import type { FoundNames } from './found-names.ts'
import { createIsKept, ENVELOPES, TOOL_PARTS, TOOLS } from './kept-members.ts'
import { foldCase, INNER_WORDS, OWN } from './name-words.ts'
import type { InnerWord, NameWords } from './name-words.ts'

interface MemberContext {
  readonly isRequest: boolean
  /** True for a tool of the caller's own, whose parameters are a schema. */
  readonly isOwnTool: boolean
  /** True for one of several requests, which can stand in any envelope. */
  readonly isBatched?: true
  /** True for tools of a server that the caller names (MCP). */
  readonly isServer?: true
  /** A word that counts here and nowhere else. */
  readonly innerWord?: InnerWord
}

const REQUEST: MemberContext = { isRequest: true, isOwnTool: false }
const BATCHED: MemberContext = { ...REQUEST, isBatched: true }
const SETTINGS: MemberContext = { isRequest: false, isOwnTool: false }
const SERVER: MemberContext = { ...SETTINGS, isServer: true }

/** Schemas of the caller's own tools, and examples. In a provider's tool these are settings. */
const TOOL_SCHEMAS = new Set([
  'parameters',
  'parameter_definitions',
  'response',
  'returns',
  'input_examples',
  'inputExamples',
])
/** Of a fallback with settings: lists of other things than models. */
const LISTED_SETTINGS = new Set([
  'betas',
  'include',
  'modalities',
  'stop',
  'stop_sequences',
  'tags',
])
const OWN_TOOL_TYPES: readonly JsonNode[] = ['function', 'custom', null]
const SERVER_TYPES: readonly JsonNode[] = ['mcp', 'mcp_server', 'mcp_toolset']
const SERVER_ID = /\.mcp$/
/** What goes to the caller's server, and settings by the names of its tools. */
const SERVER_CONTENT = new Set(['headers', 'configs'])

const FAULTS: Readonly<Record<JsonFault, string>> = {
  'invalid JSON': 'its body is not valid JSON',
  'invalid UTF-8': 'its body is not valid UTF-8',
  'too deep': 'its body is nested too deeply',
  'too large': 'its body has too many members to be checked',
}

export class JsonNames {
  readonly #words: NameWords
  readonly #found: FoundNames
  readonly #json: StrictJson

  constructor(words: NameWords, found: FoundNames) {
    this.#words = words
    this.#found = found
    this.#json = createStrictJson({ isKept: createIsKept(words) })
  }

  /** What the whole document says that it is; null where that is not certain. */
  kind: string | null = null

  feed(bytes: Uint8Array): void {
    this.#json.feed(bytes)
  }

  end(): void {
    const root = this.#readRoot()
    if (root === undefined) return
    if (!isObject(root)) return this.#found.refuse('its body is not a JSON object')
    this.kind = toKind(root)
    this.#walkObject(root, REQUEST)
  }

  /** For a text that is the value of a member of that name, as in a form. */
  endAs(name: string): void {
    const root = this.#readRoot()
    if (root !== undefined) this.#walkMember(name, root, REQUEST)
  }

  #readRoot(): JsonNode | undefined {
    const result = this.#json.end()
    if (result.kind === 'whole') return result.value
    this.#found.refuse(FAULTS[result.fault])
    return undefined
  }

  #walk(node: JsonNode, place: MemberContext): void {
    if (isObject(node)) this.#walkObject(node, place)
    else if (isList(node)) for (const item of node.items) this.#walk(item, place)
  }

  #walkObject(object: JsonEntries, place: MemberContext): void {
    const seen: string[] = []
    const isOwnTool = place.isOwnTool && hasOwnToolType(object)
    const isServer = place.isOwnTool && hasServerType(object)
    const inner = isServer ? SERVER : isOwnTool === place.isOwnTool ? place : SETTINGS
    for (const { key, value } of object.entries) {
      if (this.#words.known.has(key)) {
        if (seen.includes(key)) this.#found.refuse(`its body has \`${key}\` twice`)
        seen.push(key)
      } else if (this.#words.isAlmostKnown(key)) {
        this.#found.refuse('a member of its body is spelled almost like one that names a model')
      }
      if (this.#found.isRefused) return
      this.#walkMember(key, value, inner)
    }
    const unnamed = place.isOwnTool || place.innerWord ? findUnnamed(object) : null
    if (unnamed !== null) this.#found.refuse(unnamed)
  }

  #walkMember(key: string, value: JsonNode, place: MemberContext): void {
    const words = this.#words
    if (value === null || (this.#found.isOwnIgnored && place === REQUEST && key === OWN)) return
    if (place.innerWord?.word === foldCase(key)) {
      this.#readInner(key, value, place.innerWord)
    } else if (words.naming.has(key)) {
      const before = this.#found.count
      this.#readNames(key, value)
      if (place.isRequest && words.own.has(key)) {
        this.#found.ownCount += this.#found.count - before
      }
    } else if (words.hiding.has(key)) {
      this.#found.refuse(`\`${key}\` hides the model`)
    } else if (key === 'prompt' && isObject(value)) {
      this.#found.refuse('a stored prompt hides the model')
    } else if (key === 'requests' && place.isRequest && isList(value)) {
      this.#walkRequests(value)
    } else if (words.endsInName(key) && typeof value !== 'boolean' && value !== NUMBER) {
      this.#readNames(key, value)
    } else if (!isContent(key, place)) {
      this.#walk(value, toInnerPlace(key, place, words))
    }
  }

  #readInner(key: string, value: JsonNode, { word, isHiding, others }: InnerWord): void {
    if (isHiding || key !== word) this.#found.refuse(`\`${word}\` hides the model`)
    else if (!others.some((other) => other === value)) this.#readNames(key, value)
  }

  /** Each request runs by itself, so each must name its model. */
  #walkRequests(requests: JsonList): void {
    const first = this.#found.ownCount
    for (const request of requests.items) {
      const before = this.#found.ownCount
      this.#walk(request, BATCHED)
      if (this.#found.ownCount === before) this.#found.refuse('one of its requests names no model')
      if (this.#found.isRefused) return
    }
    if (!this.#words.envelopes.has('requests')) this.#found.ownCount = first
  }

  /** A text, an object with the name in it, or a list of either. */
  #readNames(key: string, value: JsonNode): void {
    if (!isList(value)) this.#readName(key, value)
    else for (const item of value.items) this.#readName(key, item)
  }

  #readName(key: string, value: JsonNode): void {
    if (typeof value === 'string') {
      if (key === 'fallbacks' && foldCase(value) === 'default') {
        this.#found.refuse('`fallbacks` hides the model')
      } else {
        this.#found.add(value)
      }
      return
    }
    if (!isObject(value)) {
      const kind = value === LONG ? 'too long' : 'no text'
      this.#found.refuse(`a name in \`${key}\` is ${kind}`)
      return
    }
    const before = this.#found.count
    const ids = value.entries.filter((entry) => foldCase(entry.key) === 'id')
    for (const id of ids) this.#readId(id.key, id.value)
    if (ids.length > 1) this.#found.refuse(`\`${key}\` has an \`id\` twice`)
    this.#walkObject(value, SETTINGS)
    const isTable = this.#words.mapping.has(key)
    if (isTable) this.#readTable(key, value)
    if (this.#found.count > before || (isTable && value.entries.length === 0)) return
    this.#found.refuse(`an entry of \`${key}\` names no model`)
  }

  /** What runs instead of each model; a fallback with `model` may have settings beside it. */
  #readTable(key: string, table: JsonEntries): void {
    const hasSettings = key.endsWith('fallbacks') && table.entries.some((each) => each.key === OWN)
    for (const each of table.entries) {
      if (this.#words.known.has(each.key) || this.#words.endsInName(each.key)) continue
      if (typeof each.value === 'string' && !hasSettings) this.#found.add(each.value)
      if (!isList(each.value) || (hasSettings && LISTED_SETTINGS.has(each.key))) continue
      for (const item of each.value.items) if (!isObject(item)) this.#readName(key, item)
    }
  }

  #readId(key: string, value: JsonNode): void {
    if (key === 'id' && typeof value === 'string') this.#found.add(value)
    else if (value !== null) this.#found.refuse('an `id` of a model is no plain text')
  }
}

function isContent(key: string, place: MemberContext): boolean {
  if (place.isServer === true) return SERVER_CONTENT.has(key)
  return place.isOwnTool && TOOL_SCHEMAS.has(key)
}

function toInnerPlace(key: string, place: MemberContext, { envelopes }: NameWords): MemberContext {
  if (TOOLS.has(key)) return { isRequest: false, isOwnTool: true }
  // The AI SDK writes a tool's settings into its arguments.
  if (place.isServer === true && key === 'args') return place
  const innerWord = INNER_WORDS.get(key) ?? place.innerWord
  if (innerWord !== undefined) return { ...SETTINGS, innerWord }
  const isRequest = place.isRequest && (place.isBatched ? ENVELOPES : envelopes).has(key)
  return isRequest ? place : place.isOwnTool && TOOL_PARTS.has(key) ? place : SETTINGS
}

/** False for another type, or where readers could differ on it. */
function hasOwnToolType(tool: JsonEntries): boolean {
  return isEvery(tool, 'type', (type) => OWN_TOOL_TYPES.includes(type))
}

function hasServerType(tool: JsonEntries): boolean {
  const hasType = tool.entries.some(({ key }) => key === 'type')
  if (hasType && isEvery(tool, 'type', (type) => SERVER_TYPES.includes(type))) return true
  const hasId = tool.entries.some(({ key }) => key === 'id')
  return hasId && isEvery(tool, 'id', (id) => typeof id === 'string' && SERVER_ID.test(id))
}

/** Of members with this name, in whichever letters. */
function isEvery(tool: JsonEntries, name: string, is: (value: JsonNode) => boolean): boolean {
  const members = tool.entries.filter((entry) => foldCase(entry.key) === name)
  return members.every(({ key, value }) => key === name && is(value))
}

function toKind({ entries }: JsonEntries): string | null {
  const [type, ...others] = entries.filter((entry) => foldCase(entry.key) === 'type')
  const isCertain = type?.key === 'type' && others.length === 0
  return isCertain && typeof type.value === 'string' ? type.value : null
}

function isObject(node: JsonNode): node is JsonEntries {
  return typeof node === 'object' && node !== null && node.kind === 'object'
}

function isList(node: JsonNode): node is JsonList {
  return typeof node === 'object' && node !== null && node.kind === 'list'
}
