import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../test/fakes/command-line.ts'
import { sampleCall, storeCalls } from '../../test/fakes/stored-calls.ts'
import type { AgentSessionPage } from '../api/contract.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const SAID = { dims: { '@tool': 'codex' }, provider: 'openai', model: 'gpt-4o' } as const
const CALLS = [
  sampleCall({ endedAt: NOW - 3000, ...SAID, agent: { session: 's1' } }),
  sampleCall({ endedAt: NOW - 2000, ...SAID, agent: { session: 's1', agent: 'a', retry: 1 } }),
]
const SPAN = ['--from', '2026-01-01', '--to', '2026-02-01']

test('sessions are listed, shown and summed up by person', async (context) => {
  const { weir, json, dataDir } = createCommandLine(context)
  await storeCalls(dataDir, CALLS)
  const { rows } = await json<AgentSessionPage>('sessions', ...SPAN)
  assert.deepEqual(
    rows.map(({ session, requests }) => [session, requests]),
    [['s1', 2]],
  )
  const listed = (await weir('sessions', ...SPAN, '--tool', 'codex')).out
  assert.match(listed, /^SESSION +LAST +TOOL +WHO +MINUTES +CALLS +USD +WASTED$/m)
  assert.match(listed, / codex .* 1 retried$/m)
  assert.match(listed, /^1 session, together /m)
  assert.match((await weir('sessions', ...SPAN, '--tool', 'x')).out, /No session on record/)
  const shown = (await weir('sessions', 'show', rows[0]?.id ?? '')).out
  assert.match(shown, /^codex, session s1 of /)
  assert.match(shown, /^a +- +1 +/m)
  assert.match((await weir('developers', ...SPAN)).out, /^\(no person\) +codex +1 +/m)
})
