// An error on its way between threads, which takes along neither its class nor its members.

import { WeirError } from '../../core/weir-error.ts'
import type { WeirErrorCode } from '../../core/weir-error.ts'
import { StoreBusy } from '../../store/store-busy.ts'

export interface QuestionFault {
  readonly kind: 'busy' | 'stated' | 'unexpected'
  readonly code: WeirErrorCode
  readonly message: string
  readonly hint: string | null
  readonly stack: string
}

export function toFault(error: unknown): QuestionFault {
  if (!(error instanceof Error)) return { ...UNEXPECTED, message: String(error) }
  const { message, stack = '' } = error
  if (!(error instanceof WeirError)) return { ...UNEXPECTED, message, stack }
  const { code, hint } = error
  return { kind: error instanceof StoreBusy ? 'busy' : 'stated', code, message, hint, stack }
}

const UNEXPECTED = { kind: 'unexpected', code: 'internal', hint: null, stack: '' } as const

export function fromFault({ kind, code, message, hint, stack }: QuestionFault): Error {
  // The thread's own stack, for the log: the one made here says nothing.
  return Object.assign(create(), { stack })
  function create(): Error {
    const options = hint === null ? {} : { hint }
    if (kind === 'busy') return new StoreBusy(message, options)
    return kind === 'stated' ? new WeirError(code, message, options) : new Error(message)
  }
}
