import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { openProgram } from '../../../test/fakes/program.ts'

const REQUEST = '019c1234-0000-7000-8000-000000000000'

/** Every command that stores nothing new. */
const READING = [
  'keys list',
  'keys update svc_k_00000000 --rpm 1',
  'keys rotate svc_k_00000000',
  'keys revoke svc_k_00000000',
  'keys check svc_k_00000000 --provider openai --model gpt-4o',
  'tokens list',
  'tokens revoke svc_agt_00000000',
  'users list',
  'users update a@b.example --role viewer',
  'users link a@b.example',
  'users remove a@b.example',
  'budgets list',
  'budgets update bud_0 --name x',
  'budgets delete bud_0',
  'budgets test bud_0',
  'alerts list',
  'alerts targets',
  'alerts test tgt_0',
  'alerts remove tgt_0',
  'prices list',
  'prices unset price_0',
  'prices missing',
  'prices update --check',
  'prices export',
  `explain ${REQUEST}`,
  'reprice',
  'reprice --log',
  'journal inspect',
  'journal replay',
  'rollups rebuild',
  'requests',
  'usage',
  'export --month 2026-01 --format usage',
]

describe('in the wrong folder', () => {
  for (const words of READING) {
    test(`weir ${words} says so, and creates nothing`, async (context) => {
      const { weir, dataDir } = createCommandLine(context, { hasData: false })
      const { code, out, err } = await weir(...words.split(' '))
      assert.deepEqual([code, out], [1, ''], err)
      assert.match(err, /failed \(data_dir_unusable\)\nThere is no Weir data in .*\/data\.\n/)
      assert.equal(existsSync(dataDir), false)
    })
  }

  test('weir doctor warns before the first start, and finds fault with an empty folder', async (context) => {
    const { weir, dataDir } = createCommandLine(context, { hasData: false })
    const { code, out } = await weir('doctor')
    assert.equal(code, 0, out)
    assert.match(out, /warn {3}data directory +There is no Weir data in/)
    assert.equal(existsSync(dataDir), false)
    mkdirSync(dataDir)
    const found = await weir('doctor')
    assert.equal(found.code, 1)
    assert.match(found.out, /FAULT {2}data directory +There is no Weir data in/)
  })

  test('nothing is put into a directory of something else', async (context) => {
    const { weir, dataDir } = createCommandLine(context, { hasData: false })
    mkdirSync(dataDir)
    assert.equal((await weir('usage')).code, 1)
    assert.deepEqual(readdirSync(dataDir), [])
  })
})

test('what is listed needs no data directory, and none is created', async (context) => {
  const { weir, dataDir } = createCommandLine(context, { hasData: false })
  for (const words of [
    ['prices', 'show', 'openai', 'gpt-4o'],
    ['prices', 'quote', 'openai', 'gpt-4o', '--input', '1'],
    ['completion', 'bash'],
    ['help'],
  ]) {
    const { code, out, err } = await weir(...words)
    assert.deepEqual([code, err], [0, ''], words.join(' '))
    assert.notEqual(out, '')
  }
  assert.equal(existsSync(dataDir), false)
})

test('the first command that stores something creates the data directory', async (context) => {
  const { weir, json, dataDir } = createCommandLine(context, { hasData: false })
  assert.equal((await weir('keys', 'create', '--name', 'first')).code, 0)
  assert.ok(existsSync(dataDir))
  assert.equal((await json<{ keys: unknown[] }>('keys', 'list')).keys.length, 1)
})

const canSeeProcesses = existsSync('/proc/self/environ')

test(
  'a Weir that runs elsewhere is named, with its data directory',
  { skip: canSeeProcesses ? false : 'not run: there is no /proc on this system' },
  async (context) => {
    const program = await openProgram()
    context.after(() => program.close())
    const { weir } = createCommandLine(context, { hasData: false })
    const { err } = await weir('keys', 'list')
    const place = realpathSync(program.dataDir)
    assert.match(err, /\nWeir runs on .* \(process \d+\).*\. To use it: WEIR_DATA_DIR=\//)
    assert.ok(err.includes(`${place} (process `), err)
  },
)
