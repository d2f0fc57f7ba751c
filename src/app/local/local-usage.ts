// What routes that read usage need, in a process that calls them itself.

import type { ApiOptions, ApiServices } from '../../api/api-options.ts'
import { createLongQuestions } from '../../api/questions/long-questions.ts'
import { createSilentNodes } from '../../api/service/silent-nodes.ts'
import { createUsageSnapshots } from '../../api/usage/usage-snapshots.ts'
import type { NodeStore } from '../../store/open-store.ts'
import { toConfiguredApi } from '../configured-api.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/clock.ts'

export interface UsageStores extends Pick<ApiOptions, 'settings' | 'usage'> {
  readonly progress: ApiOptions['ledgerProgress']
  /** Undefined where there is one node. */
  readonly nodes: NodeStore | undefined
}

export function toUsageServices(
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  { settings, usage, progress, nodes }: UsageStores,
): Partial<ApiServices> {
  const questions = createLongQuestions(usage)
  const log = { warn: () => undefined }
  const shared = createUsageSnapshots({ usage, snapshots: settings.snapshots, clock, log })
  return {
    usage,
    ledgerProgress: progress,
    questions,
    askAs: () => ({ usage, questions }),
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
    ...toConfiguredApi({ config, settings, clock, usage }),
  }
}
