// The columns of the audit log: when, who, what, and from what to what.

import { UnstyledButton } from '@mantine/core'
import type { AuditRow } from '../../../../src/api/contract.ts'
import { ACTOR_WORDS, toActionWords, toChangeWords, toSubjectPage } from './audit-words.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatClock, formatDate, readZone } from '../../data/format-time.ts'
import type { AuditSearch } from '../../data/page-search.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { TextLink } from '../../ui/link.tsx'

export function createAuditColumns(
  onFilter: (part: AuditSearch) => void,
): readonly TableColumn<AuditRow>[] {
  return [
    {
      id: 'time',
      header: `Time (${readZone()})`,
      cell: ({ at }) => (
        <>
          {formatDate(at)} <span className="cell-under">{formatClock(at)}</span>
        </>
      ),
    },
    {
      id: 'who',
      header: 'Who',
      cell: ({ actor }) => (
        <>
          {actor.id === null ? (
            actor.name
          ) : (
            <FilterButton
              text={actor.name}
              title={`Only changes by ${actor.name}`}
              onClick={() => onFilter({ actor: actor.id ?? undefined })}
            />
          )}
          <span className="cell-under">{ACTOR_WORDS[actor.kind]}</span>
        </>
      ),
      isWideOnly: true,
    },
    {
      id: 'what',
      header: 'What',
      grow: 1,
      cell: (row) => (
        <div className="audit-line">
          <What row={row} onFilter={onFilter} />
          <Changes row={row} />
        </div>
      ),
    },
  ]
}

interface WhatProps {
  readonly row: AuditRow
  readonly onFilter: (part: AuditSearch) => void
}

function What({ row: { action, actor, subject }, onFilter }: WhatProps) {
  const { id, name } = subject
  const shown = name ?? id
  return (
    <span className="audit-what">
      {toActionWords(action)}
      {shown !== null && (
        <span className="audit-subject">
          {id === null ? (
            shown
          ) : (
            <FilterButton
              text={shown}
              title={`Only changes of ${shown}`}
              onClick={() => onFilter({ subject: id })}
            />
          )}
        </span>
      )}
      <span className="cell-under phone-only">by {actor.name}</span>
    </span>
  )
}

interface FilterButtonProps {
  readonly text: string
  readonly title: string
  readonly onClick: () => void
}

function FilterButton({ text, title, onClick }: FilterButtonProps) {
  return (
    <UnstyledButton className="audit-filter" title={title} onClick={onClick}>
      {text}
    </UnstyledButton>
  )
}

/** Short changes are shown at once; the values that something was created with are folded. */
const OPEN_MAX = 2

function Changes({ row }: { readonly row: AuditRow }) {
  const changes = toChangeWords(row.changes)
  const page = toSubjectPage(row)
  const isShort = changes.length <= OPEN_MAX && changes.every(({ before }) => before !== null)
  if (changes.length === 0) return <span className="quiet">none</span>
  return (
    <details className="audit-changes" open={isShort}>
      <summary>{formatCounted(changes.length, 'change')}</summary>
      <dl>
        {changes.map(({ id, name, before, after }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              {before !== null && <del>{before}</del>}
              {before !== null && after !== null && <span aria-hidden="true"> → </span>}
              {after !== null && <ins>{after}</ins>}
            </dd>
          </div>
        ))}
      </dl>
      {page !== null && <TextLink href={page}>Open its page</TextLink>}
    </details>
  )
}
