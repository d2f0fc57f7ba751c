// The building blocks of the schema's sections.

import { z } from 'zod'

interface WholeBounds {
  readonly min: number
  readonly max: number
}

export function whole(initial: number, bounds: WholeBounds, description: string) {
  return z.int().min(bounds.min).max(bounds.max).default(initial).meta({ description })
}

interface TextWords {
  readonly description: string
  /** Completes "write …". */
  readonly allowed: string
  readonly isSecret?: true
}

/** A text of a form of its own. */
export function text(isAllowed: (given: string) => boolean, words: TextWords) {
  return z
    .string()
    .refine(isAllowed)
    .meta({ ...words })
}

export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as never)
}
