// The kinds of members that answers have, each with what the document says of it and an example:
// `time('When it began.')`, `time.orNull('Null: never.')`.

import { z } from 'zod'

function describing<Schema extends z.ZodType>(schema: Schema) {
  return (description?: string, example?: unknown): Schema =>
    schema.meta({
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
    })
}

function member<Schema extends z.ZodType>(schema: Schema) {
  return Object.assign(describing(schema), { orNull: describing(schema.nullable()) })
}

export const boolean = member(z.boolean())
/** A whole number. */
export const count = member(z.int())
export const number = member(z.number())
export const string = member(z.string())
/** A moment, in UTC. */
export const time = member(z.iso.datetime())
