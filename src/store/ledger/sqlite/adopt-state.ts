// What a store that has one owner only, a file in its data directory, does when it is opened there.

import type { SqliteFile } from '../../sqlite/file.ts'
import type { LedgerOwner } from '../ledger-owner.ts'

const IS_OTHER = '(node <> :node OR journal <> :journal)'
const OTHERS = `SELECT (SELECT COUNT(*) FROM cursors WHERE ${IS_OTHER})
  + (SELECT COUNT(*) FROM open_calls WHERE ${IS_OTHER})
  + (SELECT COUNT(*) FROM tally WHERE node <> :node) AS count`
const ADOPTIONS = [
  'UPDATE OR IGNORE cursors SET node = :node, journal = :journal WHERE node <> :node',
  `DELETE FROM cursors WHERE ${IS_OTHER}`,
  `UPDATE open_calls SET node = :node, journal = :journal WHERE ${IS_OTHER}`,
]
const ADD_TALLIES = `REPLACE INTO tally SELECT :node, COALESCE(SUM(forwarded), 0),
  COALESCE(SUM(recorded), 0), COALESCE(SUM(dead), 0) FROM tally`

/**
 * Gives the owner every row: an older Weir's, and those of a store restored or copied here. Not
 * cursors of this node's replaced journal: they would skip lines of the new one.
 */
export function adoptState(file: SqliteFile, { node, journal }: LedgerOwner): void {
  const owner = { ':node': node, ':journal': journal }
  if (file.prepare<{ count: number }>(OTHERS).first(owner)?.count === 0) return
  file.transact(() => {
    for (const text of ADOPTIONS) file.prepare(text).run(owner)
    const one = { ':node': node }
    file.prepare(ADD_TALLIES).run(one)
    file.prepare('DELETE FROM tally WHERE node <> :node').run(one)
  })
}
