import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBodyDocuments } from './body-documents.ts'
import type { BodyEnd, Framing } from './body-documents.ts'
import { WHOLE_BYTES_MAX } from './document-pieces.ts'

interface Seen extends BodyEnd {
  readonly documents: readonly unknown[]
}

interface Body {
  readonly text: string
  readonly framing: Framing
  readonly isWhole?: boolean
  readonly cuts?: readonly number[]
}

/** Through one buffer that is overwritten after every feed, as in the proxy. */
function read({ text, framing, isWhole = true, cuts = [] }: Body): Seen {
  const documents: unknown[] = []
  const reader = createBodyDocuments({
    contentType: null,
    framing,
    shape: { n: true },
    needles: /"n"/,
    onDocument: (document) => documents.push(document),
  })
  const bytes = Buffer.from(text)
  const scratch = Buffer.alloc(bytes.length)
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    const length = bytes.copy(scratch, 0, from, cut)
    reader.feed(scratch.subarray(0, length))
    scratch.fill('#')
    from = cut
  }
  const { isComplete, isMalformed } = reader.end(isWhole)
  return { documents, isComplete, isMalformed }
}

function everyCut(text: string): number[] {
  return Array.from({ length: Buffer.byteLength(text) }, (_, index) => index)
}

const WHOLE = { isComplete: true, isMalformed: false }
const FAULTY = { isComplete: true, isMalformed: true }
const CUT = { isComplete: false, isMalformed: false }
const OPEN = { isComplete: false, isMalformed: true }
const ONE = { n: 1 }
const TWO = { n: 2 }

const BODIES: readonly (Body & { name: string; documents: readonly unknown[]; end: BodyEnd })[] = [
  {
    name: 'lines',
    framing: 'lines',
    text: '{"n":1}\n{"n":2}\n',
    documents: [ONE, TWO],
    end: WHOLE,
  },
  {
    name: 'a last line without its end',
    framing: 'lines',
    text: '{"n":1}\n{"n":2}',
    documents: [ONE, TWO],
    end: WHOLE,
  },
  {
    name: 'CRLF and empty lines',
    framing: 'lines',
    text: '\n{"n":1}\r\n\r\n\n{"n":2}\r\n',
    documents: [ONE, TWO],
    end: WHOLE,
  },
  {
    name: 'lines without a needle',
    framing: 'lines',
    text: '{"a":"ü"}\n{"n":1}\nnonsense\n',
    documents: [ONE],
    end: WHOLE,
  },
  {
    name: 'a line that is no JSON between two that are',
    framing: 'lines',
    text: '{"n":1}\n{"n":\n{"n":2}\n',
    documents: [ONE, TWO],
    end: FAULTY,
  },
  {
    name: 'half a line at the end of a body that broke off',
    framing: 'lines',
    text: '{"n":1}\n{"n":2',
    isWhole: false,
    documents: [ONE],
    end: CUT,
  },
  {
    name: 'half a line at the end of a whole body',
    framing: 'lines',
    text: '{"n":1}\n{"n":2',
    documents: [ONE],
    end: FAULTY,
  },
  {
    name: 'one object with line breaks where lines were expected',
    framing: 'lines',
    text: '\n{\n  "a": "}",\r\n  "n": 1\n}\n',
    documents: [{ a: '}', n: 1 }],
    end: WHOLE,
  },
  {
    name: 'a first object with line breaks, and a line behind it',
    framing: 'lines',
    text: '{"a": [\n{}\n],\n"n": 1}\n{"n":2}',
    documents: [{ a: [{}], n: 1 }, TWO],
    end: WHOLE,
  },
  {
    name: 'half an object with line breaks',
    framing: 'lines',
    text: '{\n  "n": 1,\n  "a"',
    isWhole: false,
    documents: [],
    end: CUT,
  },
  {
    name: 'events where lines were expected',
    framing: 'lines',
    text: 'data: {"n":1}\n\n',
    documents: [ONE],
    end: WHOLE,
  },
  {
    name: 'a pretty-printed array',
    framing: 'array',
    text: '[{\n  "n": 1\n}\n,\r\n{\n  "n": 2\n}\n]\n',
    documents: [ONE, TWO],
    end: WHOLE,
  },
  { name: 'an empty array', framing: 'array', text: '[]', documents: [], end: WHOLE },
  {
    name: 'brackets and quotes inside strings',
    framing: 'array',
    text: '[{"n":"]}\\"[,"},{"a":1},{"n":"ü"}]',
    documents: [{ n: ']}"[,' }, { n: 'ü' }],
    end: WHOLE,
  },
  {
    name: 'an array that was not closed',
    framing: 'array',
    text: '[{"n":1},{"n":2}',
    documents: [ONE, TWO],
    end: OPEN,
  },
  {
    name: 'an array that breaks off inside an element',
    framing: 'array',
    text: '[{"n":1},{"n":2',
    isWhole: false,
    documents: [ONE],
    end: OPEN,
  },
  {
    name: 'an array with something else in it',
    framing: 'array',
    text: '[{"n":1};{"n":2}]',
    documents: [ONE],
    end: OPEN,
  },
  {
    name: 'what stands behind an array',
    framing: 'array',
    text: '[{"n":1}]{"n":2}',
    documents: [ONE],
    end: WHOLE,
  },
  {
    name: 'a lone object where an array was expected',
    framing: 'array',
    text: '{"n":1}',
    documents: [ONE],
    end: WHOLE,
  },
]

for (const { name, documents, end, ...body } of BODIES) {
  test(`reads ${name}, whole and byte by byte`, () => {
    const expected = { documents, ...end }
    assert.deepEqual(read(body), expected)
    assert.deepEqual(read({ ...body, cuts: everyCut(body.text) }), expected)
  })
}

for (const framing of ['lines', 'array'] as const) {
  const join = (pieces: readonly string[]): string =>
    framing === 'lines' ? pieces.join('\n') : `[${pieces.join(',\n')}]`

  test(`reads the same ${framing} at every cut`, () => {
    const piece = fc.record({ n: fc.nat(99), text: fc.string() }, { noNullPrototype: true })
    const places = fc.array(fc.nat(300), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), places, (pieces, cuts) => {
        const text = join(pieces.map((each) => JSON.stringify(each)))
        const length = Buffer.byteLength(text)
        const within = cuts.map((cut) => Math.min(cut, length)).toSorted((a, b) => a - b)
        assert.deepEqual(read({ text, framing, cuts: within }).documents, pieces)
      }),
    )
  })

  test(`keeps only the wanted members of ${framing} above the limit, and all up to it`, () => {
    const frame = JSON.stringify({ text: '', n: 1 }).length
    const toPiece = (bytes: number): string =>
      JSON.stringify({ text: 'x'.repeat(bytes - frame), n: 1 })
    const text = join([toPiece(WHOLE_BYTES_MAX), toPiece(WHOLE_BYTES_MAX + 1), '{"n":2}'])
    for (const cuts of [[], [1000, WHOLE_BYTES_MAX + 4000, 2 * WHOLE_BYTES_MAX - 2]]) {
      const { documents } = read({ text, framing, cuts })
      assert.deepEqual(Object.keys(documents[0] as object), ['text', 'n'])
      assert.deepEqual(documents.slice(1), [ONE, TWO])
    }
  })
}

test('shows every piece that is not too large, whether it is read or not', () => {
  const shown: string[] = []
  const reader = createBodyDocuments({
    contentType: null,
    framing: 'lines',
    shape: { n: true },
    needles: /"n"/,
    onDocument() {},
    onPassing: (piece) => shown.push(piece),
  })
  reader.feed(Buffer.from(`{"a":1}\n{"n":1}\n{"n":"${'x'.repeat(WHOLE_BYTES_MAX)}"}\n{"b":2}`))
  reader.end(true)
  assert.deepEqual(shown, ['{"a":1}', '{"n":1}', '{"b":2}'])
})
