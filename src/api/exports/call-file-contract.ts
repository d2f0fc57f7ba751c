// The contract for files of the calls that match a filter, seen through contract.ts. It is only
// ever added to.

/** Comma-separated values, or a line of JSON for each call. */
export const CALL_FILE_KINDS = ['csv', 'jsonl'] as const
export type CallFileKind = (typeof CALL_FILE_KINDS)[number]

export function toCallFilePath(kind: CallFileKind): `/v1/exports/requests.${CallFileKind}` {
  return `/v1/exports/requests.${kind}`
}
