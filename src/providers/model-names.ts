// Every model that a request can run, for keys that may not use them all: in the body, the path, the
// query, the headers, the fields of a form. Must stay true: what is not understood with certainty is
// unreadable, never passed over.

import type { NamesReader, Operation, RequestView } from './provider.ts'

type CreateNamesReader = Operation['createNamesReader']

export interface NamesOptions {
  /** What the body has to be. */
  readonly body?: 'json' | 'form' | 'json-or-form'
  /** Names that stand before the body; null where an id hides the model. */
  fromHead?(request: RequestView): readonly string[] | null
  /** Members of the root that hold the caller's own content, beside the usual ones. */
  readonly content?: readonly string[]
}

/** For requests that run a model: at least one name has to be found. */
export function namesIn(options: NamesOptions = {}): CreateNamesReader {
  void options
  return () => createUnreadable('models are not read yet')
}

/** For requests that run no model, whatever they say. */
export const noNames: CreateNamesReader = () => ({
  feed() {},
  end: () => ({ kind: 'named', names: [] }),
})

/** For requests whose models are out of sight. */
export function hiddenNames(reason: string): CreateNamesReader {
  return () => createUnreadable(reason)
}

function createUnreadable(reason: string): NamesReader {
  return { feed() {}, end: () => ({ kind: 'unreadable', reason }) }
}
