// Usage figures of a remote Weir, within a time limit.

import type { UsageQuery } from '../../../client/weir-client.js'
import { WeirError } from '../../core/weir-error.ts'
import { createRemoteClient, toRemoteError } from './remote-api.ts'
import { QUESTION_HINT } from './usage-figures.ts'
import type { AskUsage } from './usage-figures.ts'

export interface RemoteUsageOptions {
  readonly url: string
  readonly token: string
  /** For all questions together. */
  readonly timeoutMs?: number
  /** Called when the rate limit is reached, with the seconds until the next try. */
  readonly onWait?: (seconds: number) => void
}

const TIMEOUT_MS = 120_000
const TOO_MANY = 429

const HINTS = { invalid_parameter: QUESTION_HINT, unknown_catalog_tuple: QUESTION_HINT }

export function createRemoteUsage(options: RemoteUsageOptions): AskUsage {
  const { url, token, timeoutMs = TIMEOUT_MS, onWait } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const onResponse = ({ status, headers }: Response): void => {
    if (status === TOO_MANY) onWait?.(Number(headers.get('retry-after')))
  }
  const client = createRemoteClient({ url, token, signal, onResponse })
  return async (question) => {
    try {
      // The API validates it.
      return await client.usage(question as unknown as UsageQuery)
    } catch (error) {
      if (signal.aborted) {
        throw new WeirError('upstream_timeout', `${url} took more than ${timeoutMs / 1000} s.`, {
          hint: 'Try again later, or ask for less.',
        })
      }
      throw toRemoteError(error, url, HINTS)
    }
  }
}
