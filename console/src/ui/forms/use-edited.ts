// The state of a form for something that others may edit too: only what was changed is sent, and
// nothing of others is overwritten unseen.

import type { Fields, NameOf, WireOf } from '../../../../src/resources/field.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import type { FieldForm } from '../../data/forms/field-form.ts'
import { useEditor } from '../../data/use-editor.ts'
import { useUnsaved } from '../../data/unsaved.ts'

type Versioned<Of extends Fields> = WireOf<Of> & { readonly version: number }

/** The mutation that saves it. */
interface Saving<Of extends Fields, Saved> {
  readonly error: Error | null
  readonly mutate: (
    change: { readonly body: Partial<WireOf<Of>>; readonly version: number },
    then: { readonly onError: (error: Error) => void; readonly onSuccess: (saved: Saved) => void },
  ) => void
}

export interface EditedOptions<Of extends Fields, Row extends Versioned<Of>, Saved> {
  readonly row: Row
  /** Asks for it again. */
  readonly readAgain: () => Promise<Row>
  readonly saving: Saving<Of, Saved>
  readonly onSaved: (saved: Saved) => void
}

export function useEdited<const Of extends Fields, Row extends Versioned<Of>, Saved>(
  form: FieldForm<Of>,
  { row, readAgain, saving, onSaved }: EditedOptions<Of, Row, Saved>,
) {
  const editor = useEditor<Row, DraftOf<Of>>({
    row,
    fields: form.names,
    toDraft: form.toDraft,
    readAgain,
  })
  const { draft, stored, version, write, onRefused } = editor
  const body = form.toChange({ stored, draft }, Date.now())
  useUnsaved(Object.keys(body).length > 0)
  return {
    ...editor,
    /** What would be sent. */
    body,
    refusal: toFormRefusal(saving.error, form.names, form.wordsOf(draft)),
    conflicts: form.toConflicts(editor),
    onKeepTheirs: (field: NameOf<Of>) => write({ [field]: stored[field] } as Partial<DraftOf<Of>>),
    save: () => saving.mutate({ body, version }, { onError: onRefused, onSuccess: onSaved }),
  }
}
