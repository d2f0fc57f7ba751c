// Streams and answers of a wanted size, made from the cases of the fixtures: a piece from the
// middle of a stream, which has nothing but text, is repeated; an answer is filled up.

export type Framing = 'sse' | 'lines' | 'array' | 'frames'

export interface SplitStream {
  /** One event, line, element or message each. */
  readonly pieces: readonly Buffer[]
  /** The JSON of each, as far as it is some. */
  readonly documents: readonly string[]
}

/** Where text stands in a piece, whichever the shape. */
const TEXT = /"(?:content|text|delta)":\s*"[^"]/

export function splitStream(body: Buffer, framing: Framing, bytes: number): SplitStream {
  const pieces = splitBody(body, framing)
  const middle = pieces.findIndex((piece) => TEXT.test(piece.toString('latin1')))
  const piece = pieces[middle]
  if (piece === undefined) throw new Error('No piece of the stream contains text.')
  const times = Math.ceil(bytes / piece.length)
  const long = pieces.toSpliced(middle, 1, ...Array.from({ length: times }, () => piece))
  // A frame ends in four bytes of checksum, which may look like anything.
  const end = framing === 'frames' ? -4 : undefined
  const documents = long.flatMap((each) => findDocument(each.subarray(0, end)) ?? [])
  return { pieces: long, documents }
}

function splitBody(body: Buffer, framing: Framing): Buffer[] {
  const text = body.toString('latin1')
  switch (framing) {
    case 'sse':
      return toPieces(text.split(/(?<=\n\n|\r\n\r\n)/))
    case 'lines':
      return toPieces(text.split(/(?<=\n)/))
    case 'array':
      return toPieces(text.split(/(?<=^\[)|(?<=\n,)/))
    case 'frames':
      return splitFrames(body)
  }
}

function toPieces(texts: readonly string[]): Buffer[] {
  return texts.map((text) => Buffer.from(text, 'latin1'))
}

/** Each begins with its length in four bytes. */
function splitFrames(body: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < body.length; at += body.readUInt32BE(at)) {
    frames.push(body.subarray(at, at + body.readUInt32BE(at)))
  }
  return frames
}

/** From the first brace to the last. */
function findDocument(piece: Buffer): string | null {
  const text = piece.toString()
  const document = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return document.startsWith('{') ? document : null
}

/** Fills the answer's first text up to so many bytes; one that is longer stays as it is. */
export function padAnswer(body: Buffer, bytes: number): Buffer {
  const text = body.toString()
  const missing = Math.max(0, bytes - body.length)
  return Buffer.from(text.replace(TEXT, (start) => `${start.slice(0, -1)}${'x'.repeat(missing)}`))
}
