// Lets a proxy say that no node leads. Proxies never do, so that a node whose work is to forward
// calls does nothing else; but nobody would notice otherwise that alerts wait.

import type { Clock } from '../../core/clock.ts'
import { lacksLeader } from '../../store/nodes/node-store.ts'
import type { NodeList } from '../../store/nodes/node-store.ts'

export interface LeaderWatch {
  look(list: NodeList): void
  /** In a sentence; null while a node leads, or may soon. */
  readonly warning: () => string | null
}

/** An API that is restarted, or starts after the proxies, is back by then. */
const PATIENCE_MS = 30_000
export const NO_LEADER =
  'No node leads: alerts and the removal of old calls wait. Start weir api on one machine.'

export function createLeaderWatch(options: {
  readonly clock: Clock
  readonly say: (line: string) => void
}): LeaderWatch {
  const { clock, say } = options
  let missingSince: number | null = null
  let warning: string | null = null
  return {
    look(list) {
      missingSince = lacksLeader(list) ? (missingSince ?? clock.monotonic()) : null
      const isMissing = missingSince !== null && clock.monotonic() - missingSince >= PATIENCE_MS
      if (isMissing && warning === null) say(NO_LEADER)
      warning = isMissing ? NO_LEADER : null
    },
    warning: () => warning,
  }
}
