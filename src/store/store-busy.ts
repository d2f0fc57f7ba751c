// The fault that passes by itself: another process has the store locked at the moment, or it cannot
// be reached for now. Every engine maps its own codes to it. To users it is a store that cannot be
// used, like any other fault of it.

import { WeirError } from '../core/weir-error.ts'

export class StoreBusy extends WeirError {
  constructor(message: string, options?: { readonly hint?: string; readonly cause?: unknown }) {
    super('store_unusable', message, options)
  }
}
