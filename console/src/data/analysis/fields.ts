// What calls are grouped and filtered by, in words.

import { isOfIds, NAMED_FIELDS } from '../../../../src/api/analysis/analysis-orders.ts'

export { isOfIds, NAMED_FIELDS }
export {
  toMemberText as toMemberName,
  toNoneText as toNoneName,
  toValueText as toValueName,
} from '../../../../src/api/analysis/analysis-orders.ts'

const NAMES: Readonly<Record<string, string>> = {
  provider: 'Provider',
  creator: 'Creator',
  model: 'Model',
  api_key: 'API key',
  status: 'Status',
  source: 'Price source',
  team: 'Team',
  person: 'Person',
  tool: 'Tool',
  tool_version: 'Tool version',
  agent_kind: 'Agent kind',
  repository: 'Repository',
} satisfies Record<(typeof NAMED_FIELDS)[number], string>

const DIM = 'dim:'
const DIM_FIELD = /^dim:[A-Za-z][A-Za-z0-9._-]{0,63}$/

export function isField(text: string): boolean {
  return Object.hasOwn(NAMES, text) || DIM_FIELD.test(text)
}

export function toDimField(key: string): string {
  return `${DIM}${key}`
}

/** The key of a dimension; null for any other field. */
export function toDimKey(field: string): string | null {
  return field.startsWith(DIM) ? field.slice(DIM.length) : null
}

/** `Model`, `team` */
export function toFieldName(field: string): string {
  return toDimKey(field) ?? NAMES[field] ?? field
}

/** Within a sentence; a dimension is written as callers write it. */
export function toInnerFieldName(field: string): string {
  if (toDimKey(field) !== null || field === 'api_key') return toFieldName(field)
  return toFieldName(field).toLowerCase()
}
