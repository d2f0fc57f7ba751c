// One recorded case of a provider, as it lies on disk: what was asked, what came back, and what has
// to be read from both.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestView } from '../../src/providers/provider.ts'
import { HeaderLines } from '../../src/wire/http/header-lines.ts'

export interface FixtureRequest {
  readonly method: string
  readonly path: string
  /** Without the question mark. */
  readonly query?: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON; a body of another kind lies in `request.bin`. */
  readonly body?: unknown
}

export interface FixtureHead {
  /** 101 stands for a WebSocket: `body.bin` then has one message of the upstream's a line. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body broke off. */
  readonly cut?: boolean
}

export interface Fixture {
  readonly request: FixtureRequest
  readonly requestBody: Buffer
  readonly head: FixtureHead
  readonly body: Buffer
  readonly expected: Readonly<Record<string, unknown>>
  readonly source: Readonly<Record<string, unknown>>
}

export function readFixture(dir: string): Fixture {
  const request = readJson(join(dir, 'request.json')) as FixtureRequest
  const form = join(dir, 'request.bin')
  const json = request.body === undefined ? '' : JSON.stringify(request.body)
  return {
    request,
    requestBody: existsSync(form) ? readFileSync(form) : Buffer.from(json),
    head: readJson(join(dir, 'head.json')) as FixtureHead,
    body: readFileSync(join(dir, 'body.bin')),
    expected: readJson(join(dir, 'expected.json')) as Fixture['expected'],
    source: readJson(join(dir, 'source.json')) as Fixture['source'],
  }
}

export function toRequestView(
  { method, path, query, headers }: FixtureRequest,
  lines = toHeaderLines(headers),
): RequestView {
  return {
    method,
    path,
    query: query ?? '',
    header: (name) => lines.find(name),
    headers: (name) => lines.findAll(name),
  }
}

const LINES_MAX = 128

/** As the proxy has them: offsets into memory, which `bytes` is. */
export function toHeaderLines(headers: Readonly<Record<string, string>>): HeaderLines {
  const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`${text.join('')}\r\n`, 'latin1')
  const lines = new HeaderLines(bytes, 0, 0)
  const fault = lines.read(bytes.length - 2, LINES_MAX)
  if (fault !== null) throw new Error(`The case's headers have ${fault}`)
  return lines
}

export function listFolders(dir: string): readonly string[] {
  const entries = readdirSync(dir, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
