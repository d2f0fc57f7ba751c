// One frame of a WebSocket (RFC 6455 §5.2), right or wrong as a test asks for it.

export const CONTINUATION = 0
export const TEXT = 1
export const CLOSE = 8
export const PING = 9

/** What a caller's frames are masked with here. */
export const CALLER_MASK = Buffer.from([0x5a, 0x00, 0xff, 0x13])

export interface FrameOptions {
  readonly opcode?: number
  readonly isFinal?: boolean
  readonly isCompressed?: boolean
  /** Further bits of the first byte. */
  readonly bits?: number
  readonly mask?: Buffer
}

export function writeFrame(payload: string | Buffer, options: FrameOptions = {}): Buffer {
  const { opcode = TEXT, isFinal = true, isCompressed = false, bits = 0, mask } = options
  const bytes = Buffer.from(payload)
  const first = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | bits | opcode
  const length = writeLength(bytes.length)
  if (mask !== undefined) length[0] = (length[0] as number) | 0x80
  const sent = mask === undefined ? bytes : bytes.map((byte, at) => byte ^ (mask[at % 4] as number))
  return Buffer.concat([Buffer.from([first]), length, mask ?? Buffer.alloc(0), sent])
}

function writeLength(length: number): Buffer {
  if (length < 126) return Buffer.from([length])
  const bytes = Buffer.alloc(length < 65_536 ? 3 : 9)
  bytes[0] = length < 65_536 ? 126 : 127
  bytes.writeUIntBE(length, bytes.length - (length < 65_536 ? 2 : 6), length < 65_536 ? 2 : 6)
  return bytes
}
