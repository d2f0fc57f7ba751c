// Adds up usage for the process that answers the API, when nobody else wants the core: callers feel nothing of those
// who ask. Must stay true: it only reads, so it may be ended at any line.

import type { UsageQuery } from '../api/parse-usage-query.ts'
import { writeUsage } from '../api/usage-query.ts'
import { createBreathe } from '../core/breathe.ts'
import { systemClock } from '../core/clock.ts'
import { openUsageStore } from './backends.ts'
import { stayBeside } from './beside.ts'
import { giveWay } from './give-way.ts'

export interface SummingStart {
  readonly kind: 'start'
  readonly dataDir: string
}

export type ToSumming =
  | SummingStart
  | {
      readonly kind: 'query'
      readonly id: number
      readonly query: UsageQuery
      readonly nowMs: number
    }

export type FromSumming =
  | { readonly kind: 'ready' }
  /** It cannot give way on this machine, and so is of no use. */
  | { readonly kind: 'useless' }
  /** Null where it failed: who asked then adds up itself, and hears why. */
  | { readonly kind: 'answer'; readonly id: number; readonly text: string | null }

stayBeside('weir summing')
const starting = Promise.withResolvers<SummingStart>()
process.on('message', (message: ToSumming) => {
  if (message.kind === 'start') starting.resolve(message)
  else void answer(message)
})
const { dataDir } = await starting.promise
const breathe = createBreathe(systemClock)
const store = await openUsageStore({ dataDir, clock: systemClock, breathe })
tell({ kind: giveWay('idle') ? 'ready' : 'useless' })

async function answer({ id, query, nowMs }: ToSumming & { kind: 'query' }): Promise<void> {
  const text = await writeUsage(query, store, nowMs).catch(() => null)
  tell({ kind: 'answer', id, text })
}

function tell(message: FromSumming): void {
  if (process.connected) process.send?.(message)
}
