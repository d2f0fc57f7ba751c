// The framing of a tar file (ustar, POSIX.1-1988) as backups need it: plain files, short names.
// Must stay true: `tar tf` reads it, and a header with a wrong checksum is refused.

import type { FileHandle } from 'node:fs/promises'

export const BLOCK_BYTES = 512
export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK_BYTES)

const NAME_CHARS_MAX = 99
/** The most that eleven octal digits can express; larger sizes are written in base 256. */
const OCTAL_SIZE_MAX = 8 ** 11 - 1
const BASE_256 = 0x80

// Offset and length of the fields.
const NAME = [0, 100] as const
const MODE = [100, 8] as const
const SIZE = [124, 12] as const
const TIME = [136, 12] as const
const CHECKSUM = [148, 8] as const
const TYPE_AT = 156
const MAGIC_AT = 257
const MAGIC = 'ustar\x0000'
const PLAIN_FILES: ReadonlySet<string> = new Set(['0', '\0'])

type Field = readonly [offset: number, length: number]

export interface TarFile {
  readonly name: string
  readonly bytes: number
}

export interface TarMember extends TarFile {
  readonly offset: number
}

export type TarListing =
  | { readonly kind: 'whole'; readonly members: readonly TarMember[] }
  | { readonly kind: 'malformed'; readonly reason: string }

export function paddingBytes(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES
}

export function toTarHeader({ name, bytes }: TarFile, modifiedAt: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  if (!/^[\x21-\x7e]+$/.test(name) || name.length > NAME_CHARS_MAX) {
    throw new Error(`Weir defect: ${name} is not a name for a tar file`)
  }
  header.write(name, NAME[0], 'latin1')
  writeOctal(header, MODE, 0o600)
  // User and group 0: the user who unpacks it decides.
  writeOctal(header, [108, 8], 0)
  writeOctal(header, [116, 8], 0)
  if (bytes <= OCTAL_SIZE_MAX) writeOctal(header, SIZE, bytes)
  else writeBase256(header, bytes)
  writeOctal(header, TIME, Math.floor(modifiedAt / 1000))
  header.write('0', TYPE_AT, 'latin1')
  header.write(MAGIC, MAGIC_AT, 'latin1')
  header.write(`${sumHeader(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM[0], 'latin1')
  return header
}

/** Reads headers only. A tar file without its end blocks is cut short. */
export async function listTar(tar: FileHandle, membersMax: number): Promise<TarListing> {
  const { size } = await tar.stat()
  const members: TarMember[] = []
  let offset = 0
  for (;;) {
    const header = Buffer.alloc(BLOCK_BYTES)
    const { bytesRead } = await tar.read(header, 0, BLOCK_BYTES, offset)
    if (bytesRead < BLOCK_BYTES) return { kind: 'malformed', reason: 'it is cut short' }
    if (header.every((byte) => byte === 0)) return { kind: 'whole', members }
    if (members.length === membersMax)
      return { kind: 'malformed', reason: 'it contains more files than a backup has' }
    const file = fromTarHeader(header)
    if (typeof file === 'string') return { kind: 'malformed', reason: file }
    const member = { ...file, offset: offset + BLOCK_BYTES }
    offset = member.offset + file.bytes + paddingBytes(file.bytes)
    if (offset > size) return { kind: 'malformed', reason: `${file.name} is cut short` }
    members.push(member)
  }
}

/** Returns the end of a sentence where it cannot be read. */
function fromTarHeader(header: Buffer): TarFile | string {
  if (readOctal(header, CHECKSUM) !== sumHeader(header)) return 'it is not a tar file, or damaged'
  const name = readText(header, NAME)
  if (!PLAIN_FILES.has(header.toString('latin1', TYPE_AT, TYPE_AT + 1))) {
    return `${name} is not a plain file`
  }
  const isBase256 = ((header[SIZE[0]] as number) & BASE_256) !== 0
  const bytes = isBase256 ? readBase256(header) : readOctal(header, SIZE)
  if (bytes === null || !Number.isSafeInteger(bytes)) return `the size of ${name} cannot be read`
  return { name, bytes }
}

/** The sum of all bytes, with spaces in place of the checksum itself. */
function sumHeader(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) {
    const isChecksum = at >= CHECKSUM[0] && at < CHECKSUM[0] + CHECKSUM[1]
    sum += isChecksum ? 0x20 : byte
  }
  return sum
}

function writeOctal(header: Buffer, [offset, length]: Field, value: number): void {
  header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'latin1')
}

function readOctal(header: Buffer, field: Field): number | null {
  const digits = readText(header, field).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null
}

function readText(header: Buffer, [offset, length]: Field): string {
  const text = header.toString('latin1', offset, offset + length)
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}

function writeBase256(header: Buffer, value: number): void {
  header[SIZE[0]] = BASE_256
  header.writeBigUInt64BE(BigInt(value), SIZE[0] + SIZE[1] - 8)
}

function readBase256(header: Buffer): number {
  return Number(header.readBigUInt64BE(SIZE[0] + SIZE[1] - 8))
}
