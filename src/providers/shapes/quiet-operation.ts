// Calls in which no usage is to be found: they look something up, cancel or count, or their answer
// is not text at all. Known all the same, so that a key with allowed models is told apart what runs
// none.

import { noNames } from '../names/model-names.ts'
import type { Operation, RequestView } from '../provider.ts'
import { SILENT } from './document-reader.ts'

export interface QuietOperationOptions {
  readonly name: string
  /** A whole path, or a pattern with both ends fixed. */
  readonly path: string | RegExp
  readonly method?: string
  /** Left out where the call runs no model. */
  readonly createNamesReader?: Operation['createNamesReader']
  /** What the record calls the model; left out where there is none. */
  readonly createModelReader?: Operation['createModelReader']
  /**
   * It sets off work that is billed, and no answer reports how much; left out where it costs
   * nothing.
   */
  readonly isCharged?: true
}

export function quietOperation(options: QuietOperationOptions): Operation {
  const { name, path, method = 'POST' } = options
  const isPath = (request: RequestView): boolean =>
    typeof path === 'string' ? request.path === path : path.test(request.path)
  return {
    name,
    ...(options.isCharged === true ? {} : { isFree: true }),
    matches: (request) => request.method === method && isPath(request),
    createModelReader: options.createModelReader ?? (() => null),
    createNamesReader: options.createNamesReader ?? noNames,
    createUsageReader: () => SILENT,
  }
}
