import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCommandLine } from '../../test/fakes/command-line.ts'
import { COMMANDS } from './commands.ts'

/** Every place that takes the id of something. */
const CALLS: readonly (readonly [words: string, message: RegExp])[] = [
  ['keys update svc_k_nosuch --rpm 1', /There is no key svc_k_nosuch\./],
  ['keys rotate svc_k_nosuch', /There is no key svc_k_nosuch\./],
  ['keys pause svc_k_nosuch', /There is no key svc_k_nosuch\./],
  ['keys resume svc_k_nosuch', /There is no key svc_k_nosuch\./],
  ['keys revoke svc_k_nosuch', /There is no key svc_k_nosuch\./],
  ['keys check svc_k_nosuch --provider openai --model gpt-4o', /There is no key svc_k_nosuch\./],
  ['teams show nosuch', /There is no team nosuch\./],
  ['teams update nosuch --name x', /There is no team nosuch\./],
  ['teams archive nosuch', /There is no team nosuch\./],
  ['teams restore nosuch', /There is no team nosuch\./],
  ['teams members nosuch', /There is no team nosuch\./],
  ['teams add nosuch ada@example.com', /There is no team nosuch\./],
  ['teams remove nosuch ada@example.com', /There is no team nosuch\./],
  ['tokens revoke svc_agt_nosuch', /There is no access token svc_agt_nosuch\./],
  ['users update nosuch --role viewer', /There is no user nosuch\./],
  ['users link nosuch', /There is no user nosuch\./],
  ['users remove nosuch', /There is no user nosuch\./],
  ['budgets show bud_nosuch', /There is no budget bud_nosuch\./],
  ['budgets members bud_nosuch', /There is no budget bud_nosuch\./],
  ['budgets update bud_nosuch --name x', /There is no budget bud_nosuch\./],
  ['budgets delete bud_nosuch', /There is no budget bud_nosuch\./],
  ['budgets test bud_nosuch', /There is no budget bud_nosuch\./],
  ['asks approve ask_nosuch', /There is no ask ask_nosuch/],
  ['asks decline ask_nosuch', /There is no ask ask_nosuch/],
  ['alerts list --budget bud_nosuch', /There is no budget bud_nosuch\./],
  ['alerts acknowledge msg_nosuch', /There is no alert msg_nosuch\./],
  ['alerts snooze msg_nosuch --until 1h', /There is no alert msg_nosuch\./],
  ['alerts reopen msg_nosuch', /There is no alert msg_nosuch\./],
  ['alerts test tgt_nosuch', /There is no target tgt_nosuch\./],
  ['alerts remove tgt_nosuch', /There is no general target tgt_nosuch\./],
  ['prices unset price_nosuch', /There is no price rule price_nosuch\./],
  ['sessions show nosuch', /There is no session nosuch\./],
  ['explain 019c1234-0000-7000-8000-000000000000', /There is no call 019c1234/],
  ['reprice --api-key svc_k_nosuch', /There is no key svc_k_nosuch\./],
  ['usage --api-key svc_k_aaaaaaaaaaaaaaaa', /There is no key svc_k_aaaaaaaaaaaaaaaa\./],
  ['nodes forget nosuch', /There is no node nosuch\./],
  ['journal inspect --call nosuch', /have no line of nosuch\./],
]

describe('an id that there is not', () => {
  for (const [words, message] of CALLS) {
    test(`is an error of weir ${words}`, async (context) => {
      const { weir } = createCommandLine(context)
      const { code, out, err } = await weir(...words.split(' '))
      assert.deepEqual([code, out], [1, ''], err)
      assert.match(err, / failed \(not_found\)\n/)
      assert.match(err, message)
    })
  }

  test('is tested for every command that takes one as its argument', async () => {
    for (const { path, load } of COMMANDS) {
      const given = (await load()).arguments ?? []
      if (!given.some((name) => /ID$|^EMAIL$|^TEAM$/.test(name))) continue
      const call = `${path.join(' ')} `
      assert.ok(
        CALLS.some(([words]) => words.startsWith(call)),
        call,
      )
    }
  })
})
