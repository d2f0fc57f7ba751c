// Calls without usage to read. Named so that a key with allowed models may look up or cancel.

import { hiddenNames, noNames } from '../requested-models/model-names.ts'
import type { Operation, RequestView } from '../provider.ts'
import { SILENT } from './document-reader.ts'

export interface UnmeteredOperationOptions {
  readonly name: string
  /** A whole path, or a pattern anchored at both ends. */
  readonly path: string | RegExp
  readonly method?: string
  /** Left out where the call runs no model. */
  readonly createNamesReader?: Operation['createNamesReader']
  /** The model for the record; left out where there is none. */
  readonly createModelReader?: Operation['createModelReader']
  /** It starts billed work that no answer reports; left out where it costs nothing. */
  readonly isCharged?: true
  readonly derivesToken?: true
}

/** A call that only makes such a token. It names no model that its holder would be bound to. */
export function tokenOperation(name: string, path: string | RegExp): Operation {
  return unmeteredOperation({
    name,
    path,
    derivesToken: true,
    createNamesReader: hiddenNames('anyone with the token can run other models with it'),
  })
}

export function unmeteredOperation(options: UnmeteredOperationOptions): Operation {
  const { name, path, method = 'POST' } = options
  const isPath = (request: RequestView): boolean =>
    typeof path === 'string' ? request.path === path : path.test(request.path)
  return {
    name,
    ...(options.isCharged === true ? {} : { isFree: true }),
    ...(options.derivesToken === true ? { derivesToken: true } : {}),
    matches: (request) => request.method === method && isPath(request),
    createModelReader: options.createModelReader ?? (() => null),
    createNamesReader: options.createNamesReader ?? noNames,
    createUsageReader: () => SILENT,
  }
}
