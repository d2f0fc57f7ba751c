// Draws questions for a path of the OpenAPI document out of the document's own schemas: right ones,
// ones at a limit, and wrong ones of every kind that a caller could send.

import fc from 'fast-check'
import { CATALOGUE } from '../../src/api/contract.ts'
import type { Operation, Parameter, Schema } from './openapi-document.ts'

export interface Question {
  readonly method: string
  /** Path and query as they go on the wire. */
  readonly target: string
  readonly body: string | null
}

export interface Place {
  readonly path: string
  /** In upper case. */
  readonly method: string
  readonly operation: Operation
  /** Values of path parameters that lead somewhere. */
  readonly known: readonly string[]
  /** Bodies that are taken, where the operation has one. */
  readonly bodies: readonly object[]
}

/** Name and value, each encoded already. */
type Pair = readonly [string, string]

// Node's parser knows them; CONNECT is no request for a path.
const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
// Node refuses a longer head by itself.
const WILD_CHARS_MAX = 300

const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'Metric', 'metric[]', '', '%', '%zz']
const ODD_TEXTS = [
  '',
  '9'.repeat(400),
  ...'% %2 %zz %ff %c0%80 %00 %0d%0aX:%20y + +5+ %2B5 .. %2e%2e %F0%9F%98%80'.split(' '),
  ...'0 -1 05 5.0 1e3 0x10 NaN Infinity null [] 9007199254740993'.split(' '),
  ...'2026-02-30 2026-13 0000-01 9999-12 1970-01-01 2026-03-15T24:00:00Z'.split(' '),
  ...'total unknown svc_agt_a.b'.split(' '),
]

// RFC 3986, section 5.2.4: they are taken out of a path together with what stands before them.
const DOTS = /^(?:\.|%2e){1,2}$/i

export function drawQuestion(place: Place): fc.Arbitrary<Question> {
  const { parameters = [] } = place.operation
  const query = fc.oneof(
    { weight: 3, arbitrary: drawRightPairs(place) },
    { weight: 2, arbitrary: drawMixedPairs(parameters) },
    { weight: 2, arbitrary: spoil(drawRightPairs(place)) },
  )
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant(place.method) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_METHODS) },
  )
  return fc.record({
    method,
    target: fc
      .tuple(drawPath(place), query)
      .map(([path, pairs]) => [path, toSearch(pairs)].filter((part) => part !== '').join('?')),
    body: place.operation.requestBody === undefined ? fc.constant(null) : drawBody(place.bodies),
  })
}

function toSearch(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join('&')
}

function drawPath({ path, known }: Place): fc.Arbitrary<string> {
  if (!path.includes('{')) return fc.constant(path)
  const value = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.uuid() },
    // Dots before the end of a path would lead to another one that is there.
    { weight: 1, arbitrary: drawWild().filter((text) => path.endsWith('}') || !DOTS.test(text)) },
  )
  return value.map((filled) => path.replace(/\{\w+\}/, () => filled))
}

/** Every required parameter and some of the others, each of them right by itself. */
function drawRightPairs({ path, operation }: Place): fc.Arbitrary<readonly Pair[]> {
  if (path === '/v1/usage') return drawCataloguePairs(operation.parameters ?? [])
  const pairs = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => {
      const pair = drawRight(parameter).map((value): readonly Pair[] => [[parameter.name, value]])
      return parameter.required === true
        ? pair
        : fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: pair })
    })
  return fc.tuple(...pairs).map((drawn) => drawn.flat())
}

/** Only few of all combinations are answered, so they are drawn with what goes with them. */
function drawCataloguePairs(parameters: readonly Parameter[]): fc.Arbitrary<readonly Pair[]> {
  const right = (name: string, isWanted: boolean): fc.Arbitrary<readonly Pair[]> => {
    const parameter = parameters.find((each) => each.name === name)
    if (!isWanted || parameter === undefined) return fc.constant([])
    return drawRight(parameter).map((value) => [[name, value]])
  }
  const tuples = CATALOGUE.flatMap(({ metric, dimension, windows }) =>
    windows.map((window) => ({ metric, dimension, window })),
  )
  return fc.constantFrom(...tuples).chain(({ metric, dimension, window }) =>
    fc
      .tuple(
        right('dim_key', dimension === 'dim' || dimension === 'dim_model'),
        right('month', window === 'month'),
        fc.boolean().chain((is) => right('months', is && window === 'monthly_series')),
        fc.boolean().chain((is) => right('limit', is)),
        fc.boolean().chain((is) => right('api_key', is && metric === 'cost_usd')),
      )
      .map((others) => [
        ['metric', metric] as const,
        ['window', window] as const,
        ...(dimension === null ? [] : [['dimension', dimension] as const]),
        ...others.flat(),
      ]),
  )
}

/** Each parameter left out, right or wrong, whatever the others are. */
function drawMixedPairs(parameters: readonly Parameter[]): fc.Arbitrary<readonly Pair[]> {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) =>
      fc.oneof(
        fc.constant([]),
        drawRight(parameter).map((value): readonly Pair[] => [[parameter.name, value]]),
        drawWrong(parameter.schema).map((value): readonly Pair[] => [[parameter.name, value]]),
      ),
    )
  return fc.tuple(...pairs).map((drawn) => drawn.flat())
}

/** Right but for one thing: a pair is missing, doubled, unknown, or has another value. */
function spoil(right: fc.Arbitrary<readonly Pair[]>): fc.Arbitrary<readonly Pair[]> {
  return fc
    .tuple(right, fc.nat(), fc.constantFrom('drop', 'double', 'add', 'change'), drawWild())
    .chain(([pairs, at, fault, wild]) => {
      const index = pairs.length === 0 ? 0 : at % pairs.length
      const [name, value] = pairs[index] ?? ['x', '1']
      const added: Readonly<Record<typeof fault, readonly Pair[]>> = {
        drop: [],
        double: [
          [name, value],
          [name, wild],
        ],
        add: [
          [name, value],
          [ODD_NAMES[at % ODD_NAMES.length] ?? '', wild],
        ],
        change: [[name, wild]],
      }
      const spoilt = [...pairs.slice(0, index), ...added[fault], ...pairs.slice(index + 1)]
      return fc.shuffledSubarray(spoilt, { minLength: spoilt.length })
    })
}

function drawRight({ name, schema }: Parameter): fc.Arbitrary<string> {
  if (name === 'from' || name === 'to') {
    const day = fc.date({
      noInvalidDate: true,
      min: new Date('2025-01-01'),
      max: new Date('2027-01-01'),
    })
    const written = day.map((date) => date.toISOString())
    const hour = written.map((text) => `${text.slice(0, 13)}:00:00Z`)
    return fc.oneof(written, hour).map(encodeURIComponent)
  }
  // Months before the first record are as empty as any; those that are not after the current one
  // show more.
  if (name === 'month')
    return fc.constantFrom('2026-01', '2026-02', '2026-03', '2025-12', '2026-04')
  if (name === 'filter') return drawFilter().map(encodeURIComponent)
  if (name === 'dim_key') return fc.constantFrom('team', 'env', 'nobody')
  return drawBySchema(schema).map(encodeURIComponent)
}

function drawFilter(): fc.Arbitrary<string> {
  const field = fc.constantFrom('provider', 'model', 'api_key', 'status', 'dim:team', 'dim:nobody')
  const value = fc.constantFrom('', 'provider-1', 'model-2', 'svc_k_1', 'delivered', 'team <2>')
  return fc.tuple(field, fc.constantFrom('=', '!='), value).map((parts) => parts.join(''))
}

function drawBySchema(schema: Schema): fc.Arbitrary<string> {
  const {
    enum: values,
    pattern,
    minimum = 1,
    maximum = 1000,
    minLength = 1,
    maxLength = 8,
  } = schema
  if (schema.items !== undefined) return drawBySchema(schema.items)
  if (schema.type === 'boolean') return fc.boolean().map(String)
  if (values !== undefined) return fc.constantFrom(...values).map(String)
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  if (schema.type === 'integer') {
    const limits = fc.constantFrom(minimum, maximum)
    return fc.oneof(limits, fc.integer({ min: minimum, max: maximum })).map(String)
  }
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) })
}

function drawWrong({ maximum, minimum }: Schema): fc.Arbitrary<string> {
  if (maximum === undefined || minimum === undefined) return drawWild()
  return fc.oneof(fc.constantFrom(minimum - 1, maximum + 1).map(String), drawWild())
}

/** Encoded, or broken in its encoding. */
function drawWild(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...ODD_TEXTS),
    fc
      .string({ unit: 'binary', maxLength: WILD_CHARS_MAX })
      .map((text) => encodeURIComponent(text.toWellFormed())),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  )
}

function drawBody(bodies: readonly object[]): fc.Arbitrary<string> {
  const right = fc.constantFrom(...bodies)
  return fc.oneof(
    { weight: 5, arbitrary: right.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: fc.tuple(right, fc.nat(), fc.jsonValue()).map(spoilBody) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
    { weight: 1, arbitrary: fc.nat({ max: 100_000 }).map((length) => ' '.repeat(length)) },
  )
}

/** One member has another value, is gone, or is one too many. */
function spoilBody([body, at, value]: readonly [object, number, unknown]): string {
  const names = [...Object.keys(body), 'more', '__proto__']
  const name = names[at % names.length] ?? ''
  const others = Object.entries(body).filter(([each]) => each !== name)
  const changed = at % 3 === 0 ? others : [...others, [name, value] as const]
  // By hand: as an object's member, __proto__ would be lost.
  return `{${changed.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')).join(',')}}`
}
