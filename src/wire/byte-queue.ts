// A queue of bytes that copies each piece once, so that single bytes cost no more than large ones.

const NOTHING = Buffer.alloc(0)
const CAPACITY_START = 1024

export class ByteQueue {
  #buffer: Buffer = NOTHING
  #start = 0
  #end = 0

  get length(): number {
    return this.#end - this.#start
  }

  append(piece: Uint8Array): void {
    if (this.#end + piece.length > this.#buffer.length) this.#makeRoom(piece.length)
    this.#buffer.set(piece, this.#end)
    this.#end += piece.length
  }

  /** Valid until the next append: it is a view, not a copy. */
  view(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  skip(count: number): void {
    this.#start += count
    // An empty queue keeps no memory: thousands of connections have one each.
    if (this.#start >= this.#end) this.clear()
  }

  /** All of it, in memory that is the taker's from now on. */
  take(): Buffer {
    const taken = this.view()
    this.clear()
    return taken
  }

  clear(): void {
    this.#buffer = NOTHING
    this.#start = 0
    this.#end = 0
  }

  #makeRoom(count: number): void {
    const needed = this.length + count
    const capacity = Math.max(needed, this.length * 2, CAPACITY_START)
    const grown = Buffer.allocUnsafe(capacity)
    this.#buffer.copy(grown, 0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    this.#buffer = grown
  }
}
