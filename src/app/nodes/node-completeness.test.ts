import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalReport, KnownNode } from '../../store/nodes/node-store.ts'
import { readNodesCompleteness } from './node-completeness.ts'

const JOURNAL: JournalReport = {
  forwarded: 10,
  recorded: 5,
  pending: 2,
  dead: 2,
  lost: 1,
  lagBytes: 7,
  unread: 1,
  caughtUpAt: null,
}

function toNode(id: string, journal: JournalReport | null): KnownNode {
  return {
    id,
    host: 'one.example',
    role: journal === null ? 'api' : 'proxy',
    state: 'running',
    version: '1',
    configHash: 'a',
    clockOffsetMs: 0,
    journal,
    startedAt: 0,
    seenAt: 0,
  }
}

test('what nodes report and what nodes that are gone have stored add up', async () => {
  const nodes = [toNode('a', JOURNAL), toNode('b', JOURNAL), toNode('c', null)]
  const tallies = [
    { node: 'a', forwarded: 9, recorded: 5, dead: 2 },
    { node: 'gone', forwarded: 100, recorded: 98, dead: 1 },
  ]
  const sum = await readNodesCompleteness(
    { list: async () => ({ at: 0, nodes }) },
    { readTallies: async () => tallies },
  )
  assert.deepEqual(sum, { forwarded: 120, recorded: 108, pending: 4, dead: 5, lost: 3 })
  assert.equal(sum.forwarded, sum.recorded + sum.pending + sum.dead + sum.lost)
})
