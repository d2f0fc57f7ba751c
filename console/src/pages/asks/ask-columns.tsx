// The columns of a list of asks.

import type { AskRow } from '../../../../src/api/contract.ts'
import { formatDate } from '../../data/format-time.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ASK_STATES, toAskWords } from './asks.ts'

/** `first`: who asks, or for what key. */
export function toAskColumns(
  header: string,
  first: (row: AskRow) => string,
): readonly TableColumn<AskRow>[] {
  return [
    {
      id: 'first',
      header,
      grow: 1,
      cell: (row) => (
        <>
          {first(row)}
          <span className="cell-under">{toAskWords(row)}</span>
        </>
      ),
    },
    {
      id: 'note',
      header: 'Note',
      grow: 1,
      isWideOnly: true,
      cell: ({ note, answer, decided_by: by }) => (
        <>
          {note ?? '–'}
          {answer !== null && (
            <span className="cell-under">
              {by}: {answer}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'made',
      header: 'Made',
      isWideOnly: true,
      cell: ({ created_at: at }) => formatDate(at),
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status }) => (
        <StatusBadge tone={ASK_STATES[status].tone}>{ASK_STATES[status].text}</StatusBadge>
      ),
    },
  ]
}
