import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { JournalState } from '../../../src/api/contract.ts'
import { toJournalWords, toSilentWords } from './journal-words.ts'

const WELL: JournalState = {
  as_of: '2026-03-15T12:00:00.000Z',
  failing_since: null,
  reason: null,
  on_full: 'go-on',
  waiting: 0,
  lost: 0,
  directory: '/var/lib/weir',
  silent_nodes: [],
}
const FAILING: JournalState = {
  ...WELL,
  failing_since: '2026-03-15T11:58:20.000Z',
  reason: 'ENOSPC',
}

test('says nothing while every call is recorded', () => {
  assert.equal(toJournalWords(WELL, 0), null)
})

const FAILING_ROWS: readonly (readonly [Partial<JournalState>, string])[] = [
  [{}, 'Calls pass, but so far none is lost.'],
  [{ waiting: 1 }, 'Calls pass, but so far none is lost. 1 call waits in memory.'],
  [
    { lost: 1200, waiting: 40 },
    'Calls pass, but 1,200 calls could not be recorded. 40 calls wait in memory.',
  ],
  [{ on_full: 'refuse' }, 'Calls are refused, so that none goes unrecorded.'],
]

test('says what happens to calls while the disk takes no lines, since when, and what to do', () => {
  for (const [change, effect] of FAILING_ROWS) {
    const words = toJournalWords({ ...FAILING, ...change }, 1200)
    assert.equal(
      words?.text,
      `${effect} Since 15 Mar 2026, 11:58:20 UTC (ENOSPC). Free space in /var/lib/weir, and Weir records again by itself.`,
    )
    assert.deepEqual([words.tone, words.canDismiss], ['bad', false])
  }
})

test('shows a loss until that very figure was dismissed', () => {
  const words = toJournalWords({ ...WELL, lost: 3 }, 0)
  assert.equal(words?.title, '3 calls could not be recorded')
  assert.match(words.text, /^They were forwarded and are in no figure/)
  assert.equal(toJournalWords({ ...WELL, lost: 1 }, 0)?.title, '1 call could not be recorded')
  assert.deepEqual([words.tone, words.canDismiss], ['warning', true])
  assert.equal(toJournalWords({ ...WELL, lost: 3 }, 3), null)
  assert.notEqual(toJournalWords({ ...WELL, lost: 4 }, 3), null)
})

test('names the nodes whose calls may be missing, a few of them and the number of the rest', () => {
  const since = '2026-03-15T11:58:20.000Z'
  const name = (count: number) => {
    const silent = Array.from({ length: count }, (_, at) => ({ host: `proxy-${at + 1}`, since }))
    return toSilentWords({ ...WELL, silent_nodes: silent })?.title
  }
  const text = (at: number): string => `proxy-${at}, silent since 15 Mar, 11:58 UTC`
  assert.equal(toSilentWords(WELL), null)
  assert.equal(name(1), `Figures may miss calls of ${text(1)}`)
  assert.equal(name(2), `Figures may miss calls of ${text(1)}; ${text(2)}`)
  assert.match(name(7) ?? '', /; proxy-5, silent since 15 Mar, 11:58 UTC; and 2 more$/)
})
