// How alert targets that belong to no budget are shown: never with their secret.

import type { TargetRow } from '../../../client/weir-client.js'
import type { AlertTarget } from '../../core/alert.ts'
import { WeirError } from '../../core/weir-error.ts'
import { toIso } from '../../api/iso-time.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'

const CELL_CHARS_MAX = 80

export type GeneralTarget = Pick<TargetRow, 'id' | 'kind' | 'address' | 'created_at'>

export function toTargetJson(target: AlertTarget): GeneralTarget {
  const { id, kind, address, createdAt } = target
  return { id, kind, address, created_at: toIso(createdAt) }
}

export function formatTargets(targets: readonly GeneralTarget[]): string {
  const rows = targets.map(({ id, kind, address, created_at: createdAt }) => [
    id,
    kind,
    formatTime(createdAt),
    cutCell(toPrintable(address), CELL_CHARS_MAX),
  ])
  return formatTable([['ID', 'KIND', 'CREATED', 'ADDRESS'], ...rows])
}

/** Throws, and suggests the nearest id, when there is none. */
export function findTarget(targets: readonly AlertTarget[], id: string): AlertTarget {
  const general = targets.filter(({ budgetId }) => budgetId === null)
  const found = general.find((target) => target.id === id)
  if (found !== undefined) return found
  const owner = targets.find((target) => target.id === id)?.budgetId ?? null
  const nearest = suggest(
    id,
    general.map((target) => target.id),
  )
  throw new WeirError('not_found', `There is no general target ${toPrintable(id)}.`, {
    hint:
      owner === null
        ? (nearest ?? 'Run weir alerts targets to list them.')
        : `It belongs to a budget: weir budgets update ${owner} --remove-target ${id}`,
  })
}
