// Orders texts by their code units, whatever the locale.

export function compareText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
