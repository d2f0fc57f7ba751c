// The node itself is played by the test: it has the data directory, and answers as a node would.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { STORED_JOURNAL } from '../../../test/nodes/known-nodes.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { watchDrainRequests, writeDrainResult } from '../../app/nodes/drain-request.ts'
import { lockDataDir } from '../../backup/data-dir.ts'
import type { JournalReport } from '../../store/nodes/node-store.ts'

const OUTCOMES: readonly (readonly [what: string, JournalReport | null, number, RegExp, object])[] =
  [
    [
      'has stored all its calls',
      STORED_JOURNAL,
      0,
      /^The node has ended, and all its calls are stored\.$/,
      { stored: true, left: { journal_bytes: 0, unread_calls: 0 } },
    ],
    [
      'could not store its journal in time',
      { ...STORED_JOURNAL, lagBytes: 2048, unread: 3, pending: 3 },
      1,
      /ended with 2\.0 KiB of its journal not stored, 3 calls at least\. Start Weir again on .*data /,
      { stored: false, left: { journal_bytes: 2048, unread_calls: 3 } },
    ],
    [
      'does not know what it left',
      null,
      1,
      /ended; what it left is not known\. Start Weir again on .*data to store it; keep that/,
      { stored: false, left: null },
    ],
  ]

for (const [what, report, code, text, json] of OUTCOMES) {
  test(`weir drain ends with ${code} when the node ${what}`, async (t) => {
    const { dataDir, weir } = createCommandLine(t)
    mkdirSync(dataDir, { mode: 0o700 })
    const drain = async (...words: string[]) => {
      const release = lockDataDir(dataDir)
      const node = watchDrainRequests(dataDir)
      const asked = node.requested.then(({ timeoutMs }) => {
        writeDrainResult(dataDir, report)
        release()
        return timeoutMs
      })
      const outcome = await weir('drain', '--timeout', '7', ...words)
      assert.equal(await asked, 7000)
      return outcome
    }
    const said = await drain()
    assert.equal(said.code, code, said.err)
    assert.match(said.out, text)
    const printed = await drain('--json')
    assert.equal(printed.code, code)
    assert.deepEqual(JSON.parse(printed.out), json)
  })
}
