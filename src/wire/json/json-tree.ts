// What is kept of a scanned JSON text: objects are lists of entries, so that a repeated name is
// there twice and `__proto__` is an ordinary name. Must stay true: what is kept is bounded.

/** Walked in one go, which must not delay a worker's other streams: this many take 6 ms. */
export const NODES_MAX = 25_000
export const KEPT_BYTES_MAX = 8 * 1024 * 1024

/** Stands for a string too long to keep. */
export const LONG = Symbol('a long string')
/** Stands for any number: its value does not matter. */
export const NUMBER = Symbol('a number')

export type JsonNode =
  | string
  | boolean
  | null
  | typeof LONG
  | typeof NUMBER
  | JsonList
  | JsonEntries

export interface JsonList {
  readonly kind: 'list'
  readonly items: readonly JsonNode[]
}

export interface JsonEntries {
  readonly kind: 'object'
  /** In order, repeated names included. */
  readonly entries: readonly JsonEntry[]
}

export interface JsonEntry {
  /** Decoded; empty where it is too long to be a wanted name. */
  readonly key: string
  readonly value: JsonNode
}

/** A member's key, or null for any element of a list. */
export type JsonStep = string | null

export type JsonKind = 'object' | 'list' | 'string' | 'scalar'

/** filled: kept when something in it is. */
export type Kept = boolean | 'filled'

export type IsKept = (key: JsonStep, path: readonly JsonStep[], kind: JsonKind) => Kept

export interface JsonTreeOptions {
  /** Asked at the start of each member's value and list element; the path is its container's. */
  readonly isKept?: IsKept
  readonly nodesMax?: number
  /** Keys and strings together. */
  readonly keptBytesMax?: number
}

/** An open list or object. It is added to its container when it closes. */
interface Frame {
  /** Null for an object. */
  readonly items: JsonNode[] | null
  readonly entries: JsonEntry[]
  /** Its own. */
  readonly key: string
  readonly isKeptEmpty: boolean
}

export class JsonTree {
  readonly #isKept: IsKept
  readonly #nodesMax: number
  readonly #keptBytesMax: number
  readonly #frames: Frame[] = []
  /** A step for every frame but the first. */
  readonly #path: JsonStep[] = []
  #key = ''
  #isKeptEmpty = true
  #nodes = 0
  #keptBytes = 0
  root: JsonNode = null

  constructor(options: JsonTreeOptions) {
    const { isKept = () => true, nodesMax = NODES_MAX, keptBytesMax = KEPT_BYTES_MAX } = options
    this.#isKept = isKept
    this.#nodesMax = nodesMax
    this.#keptBytesMax = keptBytesMax
  }

  get depth(): number {
    return this.#frames.length
  }

  get isOverfull(): boolean {
    return this.#nodes > this.#nodesMax || this.#keptBytes > this.#keptBytesMax
  }

  wants(kind: JsonKind): boolean {
    const frame = this.#frames.at(-1)
    const kept =
      frame === undefined || this.#isKept(frame.items === null ? this.#key : null, this.#path, kind)
    this.#isKeptEmpty = kept === true
    return kept !== false
  }

  setKey(key: string): void {
    this.#key = key
    this.#keptBytes += key.length
  }

  putText(text: string | typeof LONG): void {
    if (text !== LONG) this.#keptBytes += text.length
    this.put(text)
  }

  put(value: JsonNode): void {
    this.#nodes += 1
    const frame = this.#frames.at(-1)
    if (frame === undefined) this.root = value
    else if (frame.items !== null) frame.items.push(value)
    else frame.entries.push({ key: this.#key, value })
  }

  open(isObject: boolean): void {
    const parent = this.#frames.at(-1)
    if (parent !== undefined) this.#path.push(parent.items === null ? this.#key : null)
    const items = isObject ? null : []
    this.#frames.push({ items, entries: [], key: this.#key, isKeptEmpty: this.#isKeptEmpty })
  }

  close(): void {
    const { items, entries, key, isKeptEmpty } = this.#frames.pop() as Frame
    this.#path.pop()
    this.#key = key
    if (!isKeptEmpty && (items ?? entries).length === 0) return
    this.put(items === null ? { kind: 'object', entries } : { kind: 'list', items })
  }
}
