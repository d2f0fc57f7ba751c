import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'

import { systemClock } from '../../core/clock.ts'
import type { CommandInput, Shown } from '../command.ts'
import { commands } from './connect.ts'
import { mergeJson, setVariables, toCodexConfig } from './tool-files.ts'

const KEY = `svc_k_0123456789abcdef.${'a'.repeat(43)}`
const SET = ['HOME', 'WEIR_KEY', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'XDG_CONFIG_HOME'] as const
const was = new Map(SET.map((name) => [name, process.env[name]]))

let home: string

before(() => {
  for (const name of SET) delete process.env[name]
})

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'weir-connect-'))
  process.env['HOME'] = home
  process.env['WEIR_KEY'] = KEY
})

afterEach(() => rmSync(home, { recursive: true }))

after(() => {
  for (const [name, value] of was) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

async function connect(tool: string, values: CommandInput['values'] = {}): Promise<Shown> {
  const input = { values, arguments: [tool], isJson: false, configFile: undefined }
  const streams = { out: () => {}, err: () => {}, clock: systemClock }
  const shown = await commands['connect']?.run({ ...input, ...streams })
  assert.ok(typeof shown === 'object')
  return shown
}

const FILES = {
  claude: ['.claude/settings.json'],
  codex: ['.codex/config.toml'],
  gemini: ['.gemini/.env', '.gemini/settings.json'],
  opencode: ['.config/opencode/opencode.json'],
}

for (const [tool, files] of Object.entries(FILES)) {
  test(`shows what ${tool} would read, without the key, and writes nothing`, async () => {
    const { text } = await connect(tool)
    for (const file of files) {
      assert.ok(text.includes(path.join(home, file)))
      assert.ok(!existsSync(path.join(home, file)))
    }
    assert.ok(text.includes('http://127.0.0.1:7070/v1/') && !text.includes(KEY))
  })

  test(`writes what ${tool} reads for its owner alone, and puts back that there was nothing`, async () => {
    const proxy = 'https://weir.example.com/'
    const { text } = await connect(tool, { write: true, proxy })
    const written = files.map((file) => readFileSync(path.join(home, file), 'utf8')).join('')
    assert.ok(written.includes('https://weir.example.com/v1/') && written.includes(KEY))
    assert.ok(!text.includes(KEY))
    for (const file of files) assert.equal(statSync(path.join(home, file)).mode & 0o777, 0o600)
    // A second time, with another answer: the copy is still that of before.
    await connect(tool, { write: true, stored: true })
    await connect(tool, { undo: true })
    for (const file of files) assert.ok(!existsSync(path.join(home, file)))
    await assert.rejects(connect(tool, { undo: true }), /was not set up by weir connect/)
  })
}

test('leaves everything else in a file as it is, and brings it back', async () => {
  const file = path.join(home, '.claude', 'settings.json')
  mkdirSync(path.dirname(file))
  const own = '{"model":"opus","env":{"A":"1"}}'
  writeFileSync(file, own)
  assert.ok(!(await connect('claude')).text.includes('opus'), 'what is there is not shown')
  await connect('claude', { write: true })
  const { env, model } = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(
    [model, env.A, env.ANTHROPIC_CUSTOM_HEADERS],
    ['opus', '1', `X-SVC-API-Key: ${KEY}`],
  )
  await connect('claude', { undo: true })
  assert.equal(readFileSync(file, 'utf8'), own)
  assert.ok(existsSync(`${file}.with-weir`))
})

test('a file that cannot be read stays as it is', async () => {
  const file = path.join(home, '.claude', 'settings.json')
  mkdirSync(path.dirname(file))
  writeFileSync(file, '{ // mine')
  await assert.rejects(connect('claude', { write: true }), (error: Error) => {
    assert.match(error.message, /settings\.json cannot be changed: it is not one JSON object\./)
    return !error.message.includes('mine')
  })
  assert.equal(readFileSync(file, 'utf8'), '{ // mine')
})

test('says what is missing or wrong', async () => {
  await assert.rejects(connect('vim'), /"vim" is no tool that is known here/)
  await assert.rejects(connect('claude', { proxy: 'weir:7070' }), /--proxy weir:7070 is no URL/)
  process.env['WEIR_KEY'] = 'svc_k_0123456789abcdef'
  await assert.rejects(connect('claude'), /WEIR_KEY is not a whole Weir key/)
  delete process.env['WEIR_KEY']
  await assert.rejects(connect('claude', { write: true }), /There is no Weir key to write/)
})

test('in TOML, takes the place of what it wrote before and of no other table', () => {
  const own = 'model = "x"\nmodel_provider = "mine"\n\n[model_providers.mine]\nname = "a"\n'
  const once = toCodexConfig(own, ['name = "Weir"'])
  assert.equal(
    once,
    'model_provider = "weir"\nmodel = "x"\n\n[model_providers.mine]\nname = "a"\n\n[model_providers.weir]\nname = "Weir"\n',
  )
  assert.equal(toCodexConfig(once, ['name = "Weir"']), once)
})

test('in variables and JSON, ours win and others stay', () => {
  assert.equal(setVariables('A=1\nB=2\n', { B: '3' }), "A=1\nB='3'\n")
  assert.deepEqual(JSON.parse(mergeJson('{"a":{"b":"1"},"c":[]}', { a: { d: '2' }, c: 'x' })), {
    a: { b: '1', d: '2' },
    c: 'x',
  })
  assert.throws(() => mergeJson('[]', {}), /no JSON object/)
})
