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

/** The API reports all faults at once, each starting with the member it is about. */
export function toFormRefusal<Field extends string>(
  error: Error | null,
  fields: readonly Field[],
): FormRefusal<Field> {
  // Who is no longer signed in is asked to sign in, by the page itself.
  const isEnd = error instanceof ApiError && error.code === 'unauthorized'
  if (error === null || isEnd) return { fields: {}, rest: null }
  const isBody = error instanceof ApiError && error.code === 'invalid_parameter'
  if (!isBody || !error.message.startsWith(PREFIX)) return { fields: {}, rest: error }
  const found: Partial<Record<Field, string>> = {}
  const rest: string[] = []
  for (const part of error.message.slice(PREFIX.length).replace(/\.$/, '').split('; ')) {
    const text = part.replace(/^missing: /, '')
    const field = fields.find((name) => text.startsWith(`${name} `))
    if (field === undefined) rest.push(part)
    else found[field] ??= toSentence(text.slice(field.length + 1))
  }
  return { fields: found, rest: rest.length === 0 ? null : new Error(rest.join('; ')) }
}

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
