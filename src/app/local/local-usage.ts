// What routes that read usage need, in a process that calls them itself.

import type { ApiOptions, ApiServices } from '../../api/api-options.ts'
import type { PriceAdminOptions } from '../../api/prices/price-admin.ts'
import { createLongQuestions } from '../../api/questions/long-questions.ts'
import { createTotals } from '../../api/sight/seen-usage.ts'
import { createSilentNodes } from '../../api/service/silent-nodes.ts'
import { createUsageSnapshots } from '../../api/usage/usage-snapshots.ts'
import { toConfiguredApi } from '../configured-api.ts'

export interface UsageStores extends Pick<ApiOptions, 'settings' | 'usage'> {
  readonly progress: ApiOptions['ledgerProgress']
  /** Undefined where there is one node. */
  readonly nodes: ApiOptions['nodes'] | undefined
}

export function toUsageServices(
  options: Pick<PriceAdminOptions, 'config' | 'clock' | 'onProgress'>,
  { settings, usage, progress, nodes }: UsageStores,
): Partial<ApiServices> {
  const { clock } = options
  const asked = { usage, questions: createLongQuestions(usage), totalsOf: createTotals(usage) }
  const log = { warn: () => undefined }
  const shared = createUsageSnapshots({ usage, snapshots: settings.snapshots, clock, log })
  return {
    ...asked,
    ledgerProgress: progress,
    askAs: () => asked,
    silentNodes: createSilentNodes({ clock, ...(nodes !== undefined && { nodes }) }),
    usageSnapshots: {
      ...shared,
      // Whoever types a command asks for this moment; what /v1/usage answers is shared by contract.
      readKept: async ({ compute }) => {
        const nowMs = clock.now()
        const { text } = await compute(nowMs)
        return { body: Buffer.from(text), validUntil: nowMs }
      },
    },
    ...toConfiguredApi({ ...options, isAlone: true, settings, usage }),
  }
}
