// What is kept of a JSON text while it is scanned: objects as lists of entries, so that a name
// which comes twice is there twice and `__proto__` is a name like any other. Must stay true: what
// is not kept leaves no trace, and what is kept is bounded.

/**
 * A reader walks them in one go, which must not delay the other streams of a worker: so many take
 * six milliseconds.
 */
export const NODES_MAX = 25_000
export const KEPT_BYTES_MAX = 8 * 1024 * 1024

/** Stands for a string that is too long to be kept. */
export const LONG = Symbol('a long string')
/** Stands for any number: which one does not matter. */
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
  /** In their order, and as often as they came. */
  readonly entries: readonly JsonEntry[]
}

export interface JsonEntry {
  /** Decoded; empty where it is too long to be a name that is wanted. */
  readonly key: string
  readonly value: JsonNode
}

/** A member's key, or null for an element of a list, whichever it is. */
export type JsonStep = string | null

export type JsonKind = 'object' | 'list' | 'string' | 'scalar'

/** filled: kept when something in it is. */
export type Kept = boolean | 'filled'

export type IsKept = (key: JsonStep, path: readonly JsonStep[], kind: JsonKind) => Kept

export interface JsonTreeOptions {
  /**
   * Asked at the start of a member's value, and of a list's element; the path leads to what is
   * around it.
   */
  readonly isKept?: IsKept
  readonly nodesMax?: number
  /** Of keys and strings together. */
  readonly keptBytesMax?: number
}

/** A list or an object that is open. It is put into the one around it when it closes. */
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

  /** How many containers are open here. */
  get depth(): number {
    return this.#frames.length
  }

  get isOverfull(): boolean {
    return this.#nodes > this.#nodesMax || this.#keptBytes > this.#keptBytesMax
  }

  /** Whether the value that comes next is to be kept. */
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
