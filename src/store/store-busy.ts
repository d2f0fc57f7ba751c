// A fault that passes by itself: another process has locked the store, or it cannot be reached now.
// Every engine maps its own codes to it. Users see it as any other unusable store.

import { WeirError } from '../core/weir-error.ts'

export class StoreBusy extends WeirError {
  constructor(message: string, options?: { readonly hint?: string; readonly cause?: unknown }) {
    super('store_unusable', message, options)
  }
}
