import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { INSIDE, isCharged, MONTH, NOW } from '../../../test/exports/month-scene.ts'
import { parseCsv } from '../../../test/exports/parse-csv.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'
import { createRequestId } from '../../core/ids.ts'
import { toWholeLines } from '../whole-lines.ts'

interface Scene extends CommandLine {
  readonly folder: string
  /** Where FILE goes. */
  readonly file: string
}

async function createScene(context: TestContext): Promise<Scene> {
  const line = createCommandLine(context)
  line.clock.nowMs = NOW
  await withUsage(line.dataDir, (store) => store.writeBatch(batchOf(...INSIDE)))
  const folder = path.join(path.dirname(line.dataDir), 'out')
  mkdirSync(folder)
  return { ...line, folder, file: path.join(folder, 'october.csv') }
}

const USAGE = ['export', '--month', MONTH, '--format', 'usage'] as const
const FOCUS = ['export', '--month', MONTH, '--format', 'focus'] as const

function setToken(context: TestContext, token: string | undefined): void {
  const before = process.env['WEIR_TOKEN']
  const put = (value: string | undefined): void => {
    if (value === undefined) delete process.env['WEIR_TOKEN']
    else process.env['WEIR_TOKEN'] = value
  }
  put(token)
  context.after(() => put(before))
}

test('writes the month to standard output, byte for byte what a file has', async (context) => {
  const { weir, file } = await createScene(context)
  const { code, out, err } = await weir(...USAGE)
  assert.deepEqual([code, err], [0, ''])
  assert.equal(parseCsv(`${out}\n`).rows.length, INSIDE.length)
  assert.equal((await weir(...USAGE, '--output', file)).code, 0)
  assert.equal(readFileSync(file, 'utf8'), `${out}\n`)
})

test('writes a file that is whole, readable by its owner alone, and nothing beside it', async (context) => {
  const { weir, folder, file } = await createScene(context)
  const { code, out } = await weir(...FOCUS, '--output', file)
  assert.equal(code, 0)
  assert.match(out, /october\.csv: .* KiB, the calls of 2026-10\.$/)
  assert.equal(parseCsv(readFileSync(file, 'utf8')).rows.length, INSIDE.filter(isCharged).length)
  assert.deepEqual(readdirSync(folder), ['october.csv'])
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('names the keys, as they are called in the settings', async (context) => {
  const { weir, json, dataDir } = await createScene(context)
  const { id } = await json<{ id: string }>('keys', 'create', '--name', 'Nightly jobs')
  const [first] = INSIDE
  assert.ok(first !== undefined)
  const event = { ...first.event, id: createRequestId(first.event.startedAt), keyId: id }
  await withUsage(dataDir, (store) => store.writeBatch(batchOf({ ...first, event })))
  const usage = parseCsv(`${(await weir(...USAGE)).out}\n`).rows
  const focus = parseCsv(`${(await weir(...FOCUS)).out}\n`).rows
  assert.equal(usage.find((row) => row['api_key'] === id)?.['api_key_name'], 'Nightly jobs')
  assert.equal(focus.find((row) => row['SubAccountId'] === id)?.['SubAccountName'], 'Nightly jobs')
})

test('tells in JSON what was written', async (context) => {
  const { json, file } = await createScene(context)
  assert.deepEqual(await json(...FOCUS, '--output', file), {
    file,
    bytes: statSync(file).size,
    format: 'focus',
    month: MONTH,
    requests: INSIDE.filter(isCharged).length,
  })
})

test('leaves a file that is there as it is, unless it is forced', async (context) => {
  const { weir, file } = await createScene(context)
  writeFileSync(file, 'mine')
  const refused = await weir(...USAGE, '--output', file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /already exists\.\nChoose another name, or add --force\./)
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  assert.equal((await weir(...USAGE, '--output', file, '--force')).code, 0)
  assert.match(readFileSync(file, 'utf8'), /^id,started_at,/)
})

test('sums charges by day, as the API does', async (context) => {
  const api = await openApi(NOW)
  context.after(() => api.close())
  await api.store.writeBatch(batchOf(...INSIDE))
  const { weir, json, file } = await createScene(context)
  const here = await weir(...FOCUS, '--daily')
  assert.deepEqual([here.code, here.err], [0, ''])
  const { names, rows } = parseCsv(`${here.out}\n`)
  assert.ok(!names.includes('x_RequestId'))
  const calls = rows.reduce((sum, row) => sum + Number(row['PricingQuantity']), 0)
  assert.equal(calls, INSIDE.filter(isCharged).length)
  const [, token = ''] = (await api.authorize('read:requests')).split(' ')
  setToken(context, token)
  const remote = [...FOCUS, '--daily', '--url', api.url, '--output', file] as const
  const { granularity, format } = await json<Record<string, unknown>>(...remote)
  assert.deepEqual([format, granularity], ['focus', 'daily'])
  assert.equal(readFileSync(file, 'utf8'), `${here.out}\n`)
})

const URL = ['--month', MONTH, '--format', 'usage', '--url']

const WRONG: readonly (readonly [words: readonly string[], code: number, error: RegExp])[] = [
  [['--month', '2026-13', '--format', 'usage'], 2, /--month must be a calendar month/],
  [['--month', MONTH, '--format', 'xml'], 2, /--format must be one of usage, focus/],
  [
    ['--month', '2026-12', '--format', 'usage'],
    2,
    /--month must not be after the current month, 2026-11/,
  ],
  [['--month', MONTH, '--format', 'usage', '--daily'], 2, /--daily is for --format focus/],
  [[...URL, 'ftp://x'], 2, /--url: url must be the address/],
  [[...URL, 'http://127.0.0.1:1'], 1, /could not be reached/],
]

for (const [words, code, error] of WRONG) {
  test(`refuses ${words.join(' ')}`, async (context) => {
    setToken(context, 'svc_agt_x')
    const { weir, file } = await createScene(context)
    const result = await weir('export', ...words, '--output', file)
    assert.equal(result.code, code)
    assert.match(result.err, error)
    assert.equal(existsSync(file), false)
  })
}

test('has no rows where there is no record at all, as the API', async (context) => {
  const { weir } = createCommandLine(context)
  const { code, out } = await weir('export', '--month', '2026-01', '--format', 'usage')
  assert.equal(code, 0)
  assert.equal(parseCsv(`${out}\n`).rows.length, 0)
})

test('asks a remote Weir, with the token of WEIR_TOKEN', async (context) => {
  const api = await openApi(NOW)
  context.after(() => api.close())
  await api.store.writeBatch(batchOf(...INSIDE))
  const { weir, file } = await createScene(context)
  const words = [...FOCUS, '--url', `${api.url}/`, '--output', file] as const
  setToken(context, undefined)
  assert.match((await weir(...words)).err, /needs an access token in WEIR_TOKEN/)
  const [, weak = ''] = (await api.authorize('read:usage')).split(' ')
  setToken(context, weak)
  assert.match((await weir(...words)).err, /^weir export failed \(scope_denied\)/)
  const [, token = ''] = (await api.authorize('read:requests')).split(' ')
  setToken(context, token)
  const { code, err } = await weir(...words)
  assert.deepEqual([code, err], [0, ''])
  const here = await weir(...FOCUS)
  assert.equal(readFileSync(file, 'utf8'), `${here.out}\n`)
})

async function openServer(context: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a transfer that is cut off leaves no file', async (context) => {
  const url = await openServer(context, (_, response) => {
    response.setHeader('Content-Type', 'text/csv; charset=utf-8')
    response.write('id\r\n1\r\n', () => response.destroy())
  })
  setToken(context, 'svc_agt_x')
  const { weir, folder, file } = await createScene(context)
  const { code, err } = await weir(...USAGE, '--url', url, '--output', file)
  assert.equal(code, 1)
  assert.match(err, /The transfer was cut off/)
  assert.deepEqual(readdirSync(folder), [])
})

test('a page of a server that is no Weir becomes no file, and a redirect is not followed', async (context) => {
  const asked: (string | undefined)[] = []
  const elsewhere = await openServer(context, ({ headers }, response) => {
    asked.push(headers.authorization)
    response.end('id\r\n')
  })
  const url = await openServer(context, (request, response) => {
    if (request.url?.startsWith('/moved') === true) {
      response.writeHead(302, { Location: elsewhere }).end()
      return
    }
    response.setHeader('Content-Type', 'text/html').end('<html></html>')
  })
  setToken(context, 'svc_agt_x')
  const { weir, folder, file } = await createScene(context)
  const page = await weir(...USAGE, '--url', `${url}/console`, '--output', file)
  assert.equal(page.code, 1)
  assert.match(page.err, /something else than CSV\..*\n.*--url http/)
  const moved = await weir(...USAGE, '--url', `${url}/moved`, '--output', file)
  assert.equal(moved.code, 1)
  assert.match(moved.err, /could not be reached: .*redirect/)
  assert.deepEqual([asked, readdirSync(folder)], [[], []])
})

test('a token that cannot be sent is told as such, and not shown', async (context) => {
  setToken(context, 'svc_agt_…secret')
  const { weir } = await createScene(context)
  const { code, err } = await weir(...USAGE, '--url', 'http://127.0.0.1:7071')
  assert.equal(code, 1)
  assert.match(err, /\(invalid_argument\)\nWEIR_TOKEN: token must be/)
  assert.ok(!err.includes('…secret'), err)
})

test('a directory that is not there is told before anything is read', async (context) => {
  const { weir, folder } = await createScene(context)
  const { code, err } = await weir(...USAGE, '--output', path.join(folder, 'no', 'october.csv'))
  assert.equal(code, 1)
  assert.match(err, /\(invalid_argument\)\nThere is no directory .*\/no\.\nCreate it first/)
})

test('pieces end where lines do, however the bytes are cut', async () => {
  const text = 'a,é\r\n1,🙂\r\n2,x\r\n'
  const bytes = Buffer.from(text)
  for (const size of [1, 2, 3, 5, bytes.length]) {
    const pieces: string[] = []
    for await (const piece of toWholeLines(cut(bytes, size))) pieces.push(piece)
    assert.equal(pieces.join(''), text)
    assert.ok(pieces.every((piece) => piece.endsWith('\r\n')))
  }
})

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
