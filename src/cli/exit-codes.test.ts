import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCommandLine, runMain } from '../../test/fakes/command-line.ts'

const REQUEST = '019c1234-0000-7000-8000-000000000000'

/** 2: wrong whatever is stored and configured. 1: understood, and failed or refused. */
const CALLS: readonly (readonly [words: string, code: 0 | 1 | 2])[] = [
  ['keys list', 0],
  ['keys frobnicate', 2],
  ['keys list --frobnicate', 2],
  ['keys create', 2],
  ['keys create --name x --rpm 0', 2],
  ['keys create --name x --expires yesterday', 2],
  ['keys create --name x --dim team', 2],
  ['keys update svc_k_00000000', 2],
  ['keys update svc_k_00000000 --rpm 0', 2],
  ['keys update svc_k_00000000 --rpm 1', 1],
  ['keys check svc_k_00000000 --provider openai --model gpt-4o', 1],
  ['tokens create --name x --scope everything', 2],
  ['users create --email nobody --role viewer', 2],
  ['users create --email a@b.example --role king', 2],
  ['budgets create --name x --limit-usd 0 --period day --scope global', 2],
  ['budgets create --name x --limit-usd 1 --period year --scope global', 2],
  ['budgets create --name x --limit-usd 1 --period day --scope team', 2],
  ['budgets create --name x --limit-usd 1 --period day --scope api_key=svc_k_aaaaaaaaaaaaaaaa', 1],
  ['alerts list --limit 0', 2],
  ['alerts add', 2],
  ['alerts add --webhook example.com', 2],
  ['alerts add --webhook http://169.254.169.254/', 1],
  ['prices show nowhere x', 1],
  ['prices show openai x --at soon', 2],
  ['prices quote openai gpt-4o --input 1.5', 2],
  ['prices quote openai gpt-4o --input 1 --cache-read 2', 2],
  ['prices set openai x --input much', 2],
  ['prices set openai x', 2],
  ['prices unset price_0', 1],
  ['prices import /nowhere/prices.json', 1],
  ['explain nonsense', 2],
  [`explain ${REQUEST}`, 1],
  ['reprice --from soon', 2],
  ['reprice --from 2026-01-02 --to 2026-01-01', 2],
  ['journal inspect --limit 0', 2],
  ['journal inspect --call nosuch', 1],
  ['usage --limit 0', 2],
  ['usage --metric money', 2],
  ['usage --dimension model --window today', 2],
  ['usage --csv --json', 2],
  ['usage --url ftp://x', 2],
  ['usage --url http://127.0.0.1:1', 1],
  ['analyze --group-by everything', 2],
  ['analyze --filter api_key=svc_k_00000000', 1],
  ['analyze --url http://127.0.0.1:1', 1],
  ['export --month 2026-13 --format usage', 2],
  ['export --month 2027-01 --format usage', 2],
  ['export --month 2026-01 --format xml', 2],
  ['backup /nowhere/weir.backup', 1],
  ['restore /nowhere/weir.backup', 1],
]

describe('exit codes', () => {
  for (const [words, expected] of CALLS) {
    test(`weir ${words} ends with ${expected}`, async (context) => {
      process.env['WEIR_TOKEN'] = 'svc_agt_x'
      context.after(() => delete process.env['WEIR_TOKEN'])
      const { weir } = createCommandLine(context)
      const { code, out, err } = await weir(...words.split(' '))
      assert.equal(code, expected, err)
      if (code === 0) return
      assert.equal(out, '')
      assert.match(err, words.includes('--json') ? /^\{"error":/ : /^weir.* failed \(\w+\)\n/)
    })
  }

  test('are in the help', async () => {
    const { out } = await runMain(['--help'])
    assert.match(out, /^Exit codes: 0 done; 1 failed or refused; 2 the command line is wrong/m)
  })
})
