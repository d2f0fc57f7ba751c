// The fields that a select offers: the plain ones, and dimensions that calls carry.

import { NAMED_FIELDS, toDimField, toDimKey, toFieldName } from '../../data/analysis/fields.ts'
import { useCan } from '../../data/session.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

export interface ChoiceGroup {
  readonly group: string
  readonly items: Choice[]
}

/** `chosen`: fields of the address, which are offered whether or not they are known. */
export function useFieldChoices(
  dimKeys: readonly string[],
  chosen: readonly string[],
): ChoiceGroup[] {
  const canReadKeys = useCan('read:keys')
  const plain = NAMED_FIELDS.filter(
    (field) => canReadKeys || (field !== 'api_key' && field !== 'person'),
  )
  const dims = new Set([
    ...dimKeys.map(toDimField),
    ...chosen.filter((field) => toDimKey(field) !== null),
  ])
  const groups = [
    { group: 'Calls', items: plain.map(toChoice) },
    { group: 'Dimensions', items: Array.from(dims, toChoice) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function toChoice(field: string): Choice {
  return { value: field, label: toFieldName(field) }
}
