// Writes rows as COPY's binary format: for each field its length in four bytes, then its bytes; -1
// stands for null. https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4

const CHUNK_BYTES = 262_144
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
/** The flags and the length of an extension, both 0. */
const HEAD = Buffer.concat([SIGNATURE, Buffer.alloc(8)])
const NULL = -1
const TWO_32 = 2 ** 32
const DIGIT_BASE = 10_000
const NEGATIVE = 0x40_00

export class CopyBytes {
  readonly #chunks: Buffer[] = []
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #at = 0

  constructor() {
    this.#at = HEAD.copy(this.#chunk)
  }

  beginRow(fields: number): void {
    this.#makeRoom(2)
    this.#at = this.#chunk.writeInt16BE(fields, this.#at)
  }

  null(): void {
    this.#length(NULL, 0)
  }

  text(value: string): void {
    const begin = this.#room(4 + value.length * 3)
    const bytes = this.#chunk.write(value, begin + 4)
    this.#chunk.writeInt32BE(bytes, begin)
    this.#at = begin + 4 + bytes
  }

  bytes(value: Uint8Array): void {
    this.#length(value.length, value.length)
    this.#chunk.set(value, this.#at)
    this.#at += value.length
  }

  boolean(value: boolean): void {
    this.#length(1, 1)
    this.#chunk[this.#at++] = value ? 1 : 0
  }

  int2(value: number): void {
    this.#length(2, 2)
    this.#at = this.#chunk.writeInt16BE(value, this.#at)
  }

  int4(value: number): void {
    this.#length(4, 4)
    this.#at = this.#chunk.writeInt32BE(value, this.#at)
  }

  /** A safe integer. */
  int8(value: number): void {
    this.#length(8, 8)
    const high = Math.floor(value / TWO_32)
    this.#chunk.writeInt32BE(high, this.#at)
    this.#at = this.#chunk.writeUInt32BE(value - high * TWO_32, this.#at + 4)
  }

  /** As digits to the base 10,000, without the zeros at its end. */
  numeric(value: bigint): void {
    const digits = toDigits(value < 0n ? -value : value)
    const weight = Math.max(0, digits.length - 1)
    let count = digits.length
    while (count > 0 && digits[count - 1] === 0) count -= 1
    this.#length(8 + count * 2, 8 + count * 2)
    const chunk = this.#chunk
    chunk.writeInt16BE(count, this.#at)
    chunk.writeInt16BE(weight, this.#at + 2)
    chunk.writeInt16BE(value < 0n ? NEGATIVE : 0, this.#at + 4)
    this.#at = chunk.writeInt16BE(0, this.#at + 6)
    for (let index = 0; index < count; index += 1) {
      this.#at = chunk.writeInt16BE(digits[index] as number, this.#at)
    }
  }

  /** All of it; nothing may be added afterwards. */
  finish(): readonly Buffer[] {
    this.beginRow(-1)
    return [...this.#chunks, this.#chunk.subarray(0, this.#at)]
  }

  #length(length: number, more: number): void {
    const begin = this.#room(4 + more)
    this.#at = this.#chunk.writeInt32BE(length, begin)
  }

  #room(bytes: number): number {
    this.#makeRoom(bytes)
    return this.#at
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return
    this.#chunks.push(this.#chunk.subarray(0, this.#at))
    this.#chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, bytes))
    this.#at = 0
  }
}

/** The highest first; none for 0. */
function toDigits(value: bigint): readonly number[] {
  const digits: number[] = []
  if (value <= Number.MAX_SAFE_INTEGER) {
    for (let rest = Number(value); rest > 0; rest = Math.floor(rest / DIGIT_BASE)) {
      digits.unshift(rest % DIGIT_BASE)
    }
    return digits
  }
  const base = BigInt(DIGIT_BASE)
  for (let rest = value; rest > 0n; rest /= base) digits.unshift(Number(rest % base))
  return digits
}
