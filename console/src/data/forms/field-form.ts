// A noun that is being edited: what its form contains, what is sent to the API, and how it differs
// from what is stored. Must stay true: only what was changed is sent, so that two people who change
// different things do not undo each other.

import { namesOf } from '../../../../src/resources/field.ts'
import type { Field, Fields, NameOf, WireOf } from '../../../../src/resources/field.ts'
import { formFaultOf } from '../../../../src/resources/rules.ts'
import { draftKindOf } from './field-draft.ts'
import type { DraftOf } from './field-draft.ts'
import type { FieldWords } from '../form-refusal.ts'
import { isSame } from '../use-editor.ts'
import type { Editor } from '../use-editor.ts'

export type FaultsOf<Of extends Fields> = Partial<Readonly<Record<NameOf<Of>, string>>>

export interface FieldDifference<Name extends string> {
  readonly field: Name
  readonly label: string
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** What two people have changed to different values. */
export interface Conflict<Name extends string> {
  readonly field: Name
  readonly label: string
  readonly theirs: string
  readonly yours: string
}

export interface FieldForm<Of extends Fields> {
  /** In the order of the declaration. */
  readonly names: readonly NameOf<Of>[]
  /** Of something new. */
  readonly empty: DraftOf<Of>
  /** What is shown beside a field that is refused, here or by the API. */
  readonly wordsOf: (draft: DraftOf<Of>) => Readonly<Record<NameOf<Of>, FieldWords>>
  readonly toDraft: (row: WireOf<Of>) => DraftOf<Of>
  readonly findFaults: (draft: DraftOf<Of>) => FaultsOf<Of>
  /** Of a draft without faults; the same below. */
  readonly toBody: (draft: DraftOf<Of>, nowMs: number) => WireOf<Of>
  /** What differs from what is stored. */
  readonly toChange: (
    drafts: { readonly stored: DraftOf<Of>; readonly draft: DraftOf<Of> },
    nowMs: number,
  ) => Partial<WireOf<Of>>
  readonly toWords: (name: NameOf<Of>, draft: DraftOf<Of>) => readonly string[]
  /** In the order of the form. */
  readonly listDifferences: (
    stored: DraftOf<Of>,
    draft: DraftOf<Of>,
  ) => readonly FieldDifference<NameOf<Of>>[]
  /** What both have changed; a field that was set to theirs is none any more. */
  readonly toConflicts: (editor: Editor<DraftOf<Of>>) => readonly Conflict<NameOf<Of>>[]
}

export function createFieldForm<const Of extends Fields>(fields: Of): FieldForm<Of> {
  const names = namesOf(fields)
  const fieldOf = (name: NameOf<Of>): Field => fields[name] as Field
  const fill = (value: (name: NameOf<Of>) => unknown, of = names): object =>
    Object.fromEntries(of.map((name) => [name, value(name)]))

  const toWords = (name: NameOf<Of>, draft: DraftOf<Of>): readonly string[] => {
    const field = fieldOf(name)
    const words = draftKindOf(field).toWords(draft[name], field)
    return words.length > 0 ? words : [field.form?.none ?? NO_VALUE[field.kind] ?? 'none']
  }
  const listChanged = (stored: DraftOf<Of>, draft: DraftOf<Of>) =>
    names.filter((name) => !isSame(toWords(name, stored), toWords(name, draft)))
  const faultOf = (name: NameOf<Of>, draft: DraftOf<Of>): string => {
    const field = fieldOf(name)
    return draftKindOf(field).toFault?.(draft[name]) ?? formFaultOf(field)
  }
  const toWire = (name: NameOf<Of>, draft: DraftOf<Of>, nowMs: number): unknown => {
    const field = fieldOf(name)
    return draftKindOf(field).toWire(draft[name], nowMs, field)
  }

  return {
    names,
    empty: fill((name) => {
      const field = fieldOf(name)
      const { empty, toDraft } = draftKindOf(field)
      return 'preset' in field ? toDraft(field.preset) : empty
    }) as DraftOf<Of>,
    wordsOf: (draft) =>
      fill((name) => ({
        text: faultOf(name, draft),
        // Of a scope the API says more than of a body's member.
        ...(fieldOf(name).kind === 'scope' && { match: /^scope / }),
      })) as Readonly<Record<NameOf<Of>, FieldWords>>,
    toDraft: (row) => fill((name) => draftKindOf(fieldOf(name)).toDraft(row[name])) as DraftOf<Of>,
    findFaults: (draft) => {
      const isWrong = (name: NameOf<Of>): boolean =>
        draftKindOf(fieldOf(name)).isWrong(draft[name], fieldOf(name))
      return fill((name) => faultOf(name, draft), names.filter(isWrong))
    },
    toBody: (draft, nowMs) => fill((name) => toWire(name, draft, nowMs)) as WireOf<Of>,
    toChange: ({ stored, draft }, nowMs) =>
      fill((name) => toWire(name, draft, nowMs), listChanged(stored, draft)),
    toWords,
    listDifferences: (stored, draft) =>
      listChanged(stored, draft).map((field) => {
        const [before, after] = [toWords(field, stored), toWords(field, draft)]
        return {
          field,
          label: labelOf(fieldOf(field)),
          removed: before.filter((word) => !after.includes(word)),
          added: after.filter((word) => !before.includes(word)),
        }
      }),
    toConflicts: ({ stored, draft, meanwhile }) => {
      const open = listChanged(stored, draft)
      return (meanwhile?.conflicts ?? [])
        .filter((field) => open.includes(field))
        .map((field) => ({
          field,
          label: labelOf(fieldOf(field)),
          theirs: toWords(field, stored).join(', '),
          yours: toWords(field, draft).join(', '),
        }))
    },
  }
}

/** In a form. */
export function labelOf({ label, form }: Field): string {
  return form?.label ?? label
}

/** What having none is called; `none` for all other kinds. */
const NO_VALUE: Partial<Readonly<Record<Field['kind'], string>>> = { limit: 'no limit' }
