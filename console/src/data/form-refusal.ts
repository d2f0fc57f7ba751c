// Which fields of a form the API refused. Must stay true: a part of its answer that names no field
// of the form is shown for the whole form.

import { ApiError } from './api-error.ts'

export interface FormRefusal<Field extends string> {
  /** By the name that the API has for it. */
  readonly fields: Partial<Readonly<Record<Field, string>>>
  /** What belongs to no field; null without such a part. */
  readonly rest: Error | null
}

const PREFIX = 'The body is refused: '
/** `team_id: The team Search is archived.`, in words for people; of several fields in sequence. */
const NAMED = /^[a-z_]+: [A-Z]/
const NEXT_NAMED = / (?=[a-z_]+: [A-Z])/

/** What a form says of a field that the API refused. */
export interface FieldWords {
  /** Left out: what the API says is in words for people. */
  readonly text?: string
  /** Of refusals that do not begin with the field's name. */
  readonly match?: RegExp
}

type FormWords<Field extends string> = Partial<Readonly<Record<Field, FieldWords>>>

/**
 * The API reports all faults at once, each starting with the member it is about. The form's own
 * words take the place of the API's, which are for programs.
 */
export function toFormRefusal<Field extends string>(
  error: Error | null,
  fields: readonly Field[],
  words: FormWords<Field> = {},
): FormRefusal<Field> {
  // Who is no longer signed in is asked to sign in, by the page itself.
  const isEnd = error instanceof ApiError && error.code === 'unauthorized'
  if (error === null || isEnd) return { fields: {}, rest: null }
  const isRefusal = error instanceof ApiError && error.code === 'invalid_parameter'
  if (!isRefusal) return { fields: {}, rest: error }
  const found: Partial<Record<Field, string>> = {}
  const rest: string[] = []
  if (NAMED.test(error.message)) {
    for (const part of error.message.split(NEXT_NAMED)) {
      const field = fields.find((name) => part.startsWith(`${name}: `))
      if (field === undefined) rest.push(part)
      else found[field] = part.slice(field.length + 2)
    }
    return { fields: found, rest: rest.length === 0 ? null : new Error(rest.join(' ')) }
  }
  if (!error.message.startsWith(PREFIX)) return toMatched(error, fields, words)
  for (const part of error.message.slice(PREFIX.length).replace(/\.$/, '').split('; ')) {
    const text = part.replace(/^missing: /, '')
    const field = fields.find((name) => text.startsWith(`${name} `))
    if (field === undefined) rest.push(part)
    else found[field] ??= words[field]?.text ?? toSentence(text.slice(field.length + 1))
  }
  return { fields: found, rest: rest.length === 0 ? null : new Error(rest.join('; ')) }
}

function toMatched<Field extends string>(
  error: Error,
  fields: readonly Field[],
  words: FormWords<Field>,
): FormRefusal<Field> {
  const about = fields.filter((field) => words[field]?.match?.test(error.message) === true)
  if (about.length === 0) return { fields: {}, rest: error }
  const found = Object.fromEntries(
    about.map((field) => [field, words[field]?.text ?? error.message]),
  )
  return { fields: found as FormRefusal<Field>['fields'], rest: null }
}

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
