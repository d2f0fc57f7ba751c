// Sends a test alert to targets and shows the outcome for each.

import { createTestSender } from '../../alerts/alert-targets.ts'
import type { Config } from '../../config/config.ts'
import type { AlertTarget } from '../../core/alert.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable } from '../table.ts'

const CELL_CHARS_MAX = 60

export interface TestedTarget {
  readonly target: AlertTarget
  readonly isDelivered: boolean
  readonly detail: string
}

export function testTargets(
  targets: readonly AlertTarget[],
  config: Pick<Config, 'alerts'>,
): Promise<readonly TestedTarget[]> {
  const send = createTestSender(config)
  return Promise.all(targets.map(async (target) => ({ target, ...(await send(target)) })))
}

export function toTestedJson({ target, isDelivered, detail }: TestedTarget) {
  const { id, kind, address } = target
  return { target_id: id, kind, address, delivered: isDelivered, detail }
}

export function formatTested(tested: readonly TestedTarget[]): string {
  const rows = tested.map(({ target, isDelivered, detail }) => [
    target.id,
    target.kind,
    cutCell(toPrintable(target.address), CELL_CHARS_MAX),
    isDelivered ? 'delivered' : 'failed',
    toPrintable(detail),
  ])
  return formatTable([['TARGET', 'KIND', 'ADDRESS', 'RESULT', 'ANSWER'], ...rows])
}
