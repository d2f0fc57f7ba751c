// The state of a form that edits something others may edit too. What was typed is compared with
// what its writer saw, and saved on condition that this is still so; where it is not, the draft is
// put on top of what is there now, and what both have changed is shown.

import { useState } from 'react'
import type { ChangedMeanwhileBody } from '../../../src/api/contract.ts'
import { meanwhileOf } from './meanwhile.ts'

export interface EditorOptions<Row, Draft> {
  /** As it is read now. */
  readonly row: Row
  readonly fields: readonly (keyof Draft & string)[]
  readonly toDraft: (row: Row) => Draft
  /** Asks for it again. */
  readonly readAgain: () => Promise<Row>
}

export interface Meanwhile<Draft> {
  readonly changes: ChangedMeanwhileBody['changes']
  readonly conflicts: readonly (keyof Draft & string)[]
}

export interface Editor<Draft> {
  /** What the writer saw. */
  readonly stored: Draft
  readonly draft: Draft
  /** Of what the writer saw. */
  readonly version: number
  readonly meanwhile: Meanwhile<Draft> | null
  readonly write: (part: Partial<Draft>) => void
  /** Forgets what was typed. */
  readonly reset: () => void
  /** To be called with every refusal of a save. */
  readonly onRefused: (error: Error) => void
}

export function useEditor<Row extends { readonly version: number }, Draft extends object>(
  options: EditorOptions<Row, Draft>,
): Editor<Draft> {
  const { row, fields, toDraft, readAgain } = options
  // Null: nothing was typed, and the form follows what is stored.
  const [edit, setEdit] = useState<Edit<Row, Draft> | null>(null)
  const seen = edit?.seen ?? row
  const stored = toDraft(seen)
  const draft = edit?.draft ?? stored
  const meet = async (changes: ChangedMeanwhileBody['changes']): Promise<void> => {
    const now = await readAgain()
    setEdit((before) => {
      // What was taken back while the answer was under way stays so, and what was typed on counts.
      if (before === null) return null
      const drafts = { base: stored, mine: before.draft, theirs: toDraft(now) }
      const { draft: rebased, conflicts } = rebase(drafts, fields)
      return { seen: now, draft: rebased, meanwhile: { changes, conflicts } }
    })
  }
  return {
    stored,
    draft,
    version: seen.version,
    meanwhile: edit?.meanwhile ?? null,
    write: (part) =>
      setEdit((before) => {
        const kept = before ?? { seen: row, draft: toDraft(row), meanwhile: null }
        const written = { ...kept.draft, ...part }
        // What was typed and taken back is no edit.
        return isSame(written, toDraft(kept.seen)) ? null : { ...kept, draft: written }
      }),
    reset: () => setEdit(null),
    onRefused: (error) => {
      const known = meanwhileOf(error)
      // What cannot be read again stays as it was typed; the refusal itself is shown.
      if (known !== null) void meet(known.changes).catch(() => undefined)
    },
  }
}

interface Edit<Row, Draft> {
  /** What the writer saw. */
  readonly seen: Row
  readonly draft: Draft
  readonly meanwhile: Meanwhile<Draft> | null
}

export interface Rebased<Draft> {
  readonly draft: Draft
  /** What both have changed, to different values. */
  readonly conflicts: readonly (keyof Draft & string)[]
}

/**
 * Puts what one person typed on top of what another has saved meanwhile: only what was typed is
 * taken from the draft, so that nothing of the other is undone unseen.
 */
export function rebase<Draft extends object>(
  { base, mine, theirs }: { readonly base: Draft; readonly mine: Draft; readonly theirs: Draft },
  fields: readonly (keyof Draft & string)[],
): Rebased<Draft> {
  const typed = fields.filter((field) => !isSame(base[field], mine[field]))
  const parts = Object.fromEntries(typed.map((field) => [field, mine[field]]))
  return {
    draft: { ...theirs, ...parts },
    conflicts: typed.filter(
      (field) => !isSame(base[field], theirs[field]) && !isSame(mine[field], theirs[field]),
    ),
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
