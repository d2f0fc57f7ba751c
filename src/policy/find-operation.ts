// Which of its provider's operations a request is, by its path in plain spelling. Must stay true:
// it is metered as what some server may take it for, and judged as what every server does.

import type { GuardedProvider } from '../providers/guarded-provider.ts'
import type { MatchedOperation, RequestView } from '../providers/provider.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { furtherReadings } from '../wire/http/plain-path.ts'
import type { PolicyRequest } from './policy.ts'

export interface FoundOperation {
  /** With the path by which the operation was found. */
  readonly view: RequestView
  readonly operation: MatchedOperation | null
  /** For a policy, which goes by the plain path alone. */
  readonly judged: Pick<PolicyRequest, 'view' | 'operation'>
}

export function findOperation(
  head: RequestHead,
  { plainPath, query }: { readonly plainPath: string; readonly query: string },
  provider: GuardedProvider,
): FoundOperation {
  const view = new HeadView(head, plainPath, query)
  const found = provider.findOperation(view)
  const judged = { view, operation: found }
  if (found === 'failed') return { view, operation: null, judged }
  if (found !== null && found.isFree !== true) return { view, operation: found, judged }
  // What looks free, or like nothing known, may be a call that costs at the provider, or will.
  for (const path of furtherReadings(plainPath)) {
    const further = new HeadView(head, path, query)
    const operation = provider.findOperation(further)
    if (operation === null || operation === 'failed') continue
    if (operation.isFree === true && operation.derivesToken !== true) continue
    return { view: further, operation, judged }
  }
  return { view, operation: found, judged }
}

class HeadView implements RequestView {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #head: RequestHead

  constructor(head: RequestHead, path: string, query: string) {
    this.method = head.method
    this.path = path
    this.query = query
    this.#head = head
  }

  header(name: string): string | null {
    return this.#head.lines.find(name)
  }

  headers(name: string): readonly string[] {
    return this.#head.lines.findAll(name)
  }
}
