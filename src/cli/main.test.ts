import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createCommandLine, runMain } from '../../test/fakes/command-line.ts'
import { toCommand } from './command.ts'
import { COMMANDS } from './commands.ts'

describe('help', () => {
  for (const words of [[], ['--help'], ['-h'], ['help']]) {
    test(`weir ${words.join(' ')} lists the commands`, async () => {
      const { code, out, err } = await runMain(words)
      assert.equal(code, 0)
      assert.match(out, /^ {2}keys create {2,}Create an API key/m)
      assert.match(out, /^ {2}doctor /m)
      assert.equal(err, '')
    })
  }

  for (const words of [['keys'], ['keys', '--help']]) {
    test(`weir ${words.join(' ')} lists the commands about keys alone`, async () => {
      const { code, out } = await runMain(words)
      assert.equal(code, 0)
      assert.match(out, /keys rotate/)
      assert.doesNotMatch(out, /tokens/)
    })
  }

  test('a command tells its options, and runs nothing', async () => {
    const { code, out } = await runMain(['keys', 'create', '--help'])
    assert.equal(code, 0)
    assert.match(out, /^Usage: weir keys create --name N/m)
    assert.match(out, /^ {2}--allow-model PATTERN .*\(repeatable\)$/m)
    assert.match(out, /^ {2}--json/m)
  })

  test('the version is that of the package', async () => {
    assert.match((await runMain(['--version'])).out, /^weir \d+\.\d+\.\d+$/)
    const { out } = await runMain(['--version', '--json'])
    assert.match((JSON.parse(out) as { version: string }).version, /^\d+\.\d+\.\d+$/)
  })
})

const MISTAKES: readonly (readonly [string, RegExp, RegExp])[] = [
  ['kyes', /no command "weir kyes"/, /Did you mean weir keys\?/],
  ['keys craete --name x', /no command "weir keys craete"/, /Did you mean weir keys create\?/],
  ['keys frobnicate', /no command "weir keys frobnicate"/, /Commands: weir keys create, list, /],
  [
    'frobnicate',
    /no command "weir frobnicate"/,
    /Commands: weir start, proxy, api, drain, nodes, setup-link, keys, connect, teams, sessions, /,
  ],
  ['--hlep', /no option --hlep/, /Did you mean --help\?/],
  ['--config x keys list', /no option --config without a command/, /Options follow the command/],
  ['keys create --nmae x', /no option --nmae\./, /Did you mean --name\?/],
  ['keys create --frobnicate', /no option --frobnicate\./, /weir keys create --help/],
  ['keys create -x', /no option -x\./, /weir keys create --help/],
  ['keys create', /--name N must be given/, /Usage: weir keys create/],
  ['keys create --name', /--name needs a value/, /--name N/],
  ['keys create --name --rpm 5', /--name needs a value/, /--name N/],
  ['keys create --name a --name b', /--name was given twice/, /once/],
  ['keys list --json=yes', /--json takes no value/, /--help/],
  ['keys list extra', /Unexpected argument "extra"/, /Usage: weir keys list/],
  ['keys rotate', /ID must be given/, /Usage: weir keys rotate ID/],
  ['keys update svc_k_00000000', /No change was given/, /weir keys update --help/],
  ['tokens create --name x', /--scope S must be given/, /Usage: weir tokens create/],
]

describe('a call that cannot be understood', () => {
  for (const [words, message, hint] of MISTAKES) {
    test(`weir ${words}`, async () => {
      const { code, out, err } = await runMain(words.split(' '))
      const lines = err.split('\n')
      assert.equal(code, 2)
      assert.equal(out, '')
      assert.equal(lines.length, 3)
      assert.match(lines[0] ?? '', /^weir.* failed \(invalid_argument\)$/)
      assert.match(lines[1] ?? '', message)
      assert.match(lines[2] ?? '', hint)
    })
  }

  test('is told as JSON when JSON was asked for', async () => {
    const { code, out, err } = await runMain(['keys', 'create', '--json'])
    assert.equal(code, 2)
    assert.equal(out, '')
    assert.deepEqual(JSON.parse(err), {
      error: '--name N must be given.',
      code: 'invalid_argument',
      hint: 'Usage: weir keys create --name N [options]',
    })
  })
})

describe('a command that cannot be carried out', () => {
  test('says what failed, why, and what to do, in three lines', async (context) => {
    const { weir } = createCommandLine(context)
    const { code, out, err } = await weir('keys', 'revoke', 'svc_k_00000000')
    assert.equal(code, 1)
    assert.equal(out, '')
    assert.deepEqual(err.split('\n'), [
      'weir keys revoke failed (not_found)',
      'There is no key svc_k_00000000.',
      'Run weir keys list to list them.',
    ])
  })

  test('says the same as JSON', async (context) => {
    const { weir } = createCommandLine(context)
    const { code, err } = await weir('tokens', 'revoke', 'svc_agt_00000000', '--json')
    assert.equal(code, 1)
    assert.deepEqual(JSON.parse(err), {
      error: 'There is no access token svc_agt_00000000.',
      code: 'not_found',
      hint: 'Run weir tokens list to list them.',
    })
  })

  test('names a configuration file that is not there', async () => {
    const { code, err } = await runMain([
      'keys',
      'list',
      '--config',
      '/nowhere/weir.yaml',
      '--json',
    ])
    assert.equal(code, 1)
    assert.equal((JSON.parse(err) as { code: string }).code, 'invalid_config')
    assert.match(err, /\/nowhere\/weir\.yaml/)
  })

  test('names a settings store that is damaged', async (context) => {
    const { weir, dataDir } = createCommandLine(context)
    mkdirSync(dataDir)
    writeFileSync(path.join(dataDir, 'settings.db'), 'no database'.repeat(100))
    const { code, err } = await weir('keys', 'list')
    assert.equal(code, 1)
    assert.match(err, /^weir keys list failed \(store_unusable\)\n.*settings\.db.*\n.*backup/)
  })

  test('names a data directory that cannot be one', async (context) => {
    const { weir, dataDir } = createCommandLine(context)
    writeFileSync(dataDir, 'a file')
    const { code, err } = await weir('keys', 'list')
    assert.equal(code, 1)
    assert.match(err, /^weir keys list failed \(data_dir_unusable\)\n/)
  })
})

describe('the list of commands', () => {
  for (const { path, load } of COMMANDS) {
    const call = `weir ${path.join(' ')}`
    test(`${call} is what its file says it is`, async () => {
      const { usage } = toCommand({ path, summary: '', load }, await load())
      assert.ok(`${usage} `.startsWith(`${call} `), usage)
    })
  }

  const LOADS: readonly (readonly [string, readonly string[]])[] = [
    ['--version', []],
    ['--help', []],
    ['keys', []],
    ['tokens list --help', ['tokens.ts']],
  ]
  for (const [words, files] of LOADS) {
    test(`weir ${words} loads ${files.join() || 'none of them'}`, async () => {
      const { stderr } = await run(process.execPath, ['--import', TELL_LOADS, ...program(words)])
      const loaded = stderr.split('\n').map((url) => url.replace(/.*\/src\/cli\/(?:.*\/)?/, ''))
      assert.ok(loaded.includes('commands.ts'))
      const names = COMMANDS.flatMap(({ path }) => [path.join('-'), path[0]])
      const commands = names.filter((name) => name !== 'api').map((name) => `${name}.ts`)
      assert.deepEqual(
        [...new Set(commands)].filter((file) => loaded.includes(file)),
        files,
      )
    })
  }
})

const TELL_LOADS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      console.error(url)
      return next(url, context)
    },
  })
`)}`

test('the program prints to its streams and ends with the exit code', async () => {
  const { stdout, stderr } = await run(process.execPath, program('--version'))
  assert.match(stdout, /^weir \d+\.\d+\.\d+\n$/)
  assert.equal(stderr, '')
  await assert.rejects(run(process.execPath, program('kyes')), { code: 2, stdout: '' })
})

const run = promisify(execFile)

function program(words: string): string[] {
  return [new URL('./weir.ts', import.meta.url).pathname, ...words.split(' ')]
}
