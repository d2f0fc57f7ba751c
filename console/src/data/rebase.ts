// Puts what one person typed on top of what another has saved meanwhile. Must stay true: only what
// was typed is taken from the draft, so that nothing of the other is undone unseen.

export interface Rebased<Draft> {
  readonly draft: Draft
  /** What both have changed, to different values. */
  readonly conflicts: readonly (keyof Draft & string)[]
}

export function rebase<Draft extends object>(
  { base, mine, theirs }: { readonly base: Draft; readonly mine: Draft; readonly theirs: Draft },
  fields: readonly (keyof Draft & string)[],
): Rebased<Draft> {
  const typed = fields.filter((field) => !isSame(base[field], mine[field]))
  const parts = Object.fromEntries(typed.map((field) => [field, mine[field]]))
  return {
    draft: { ...theirs, ...parts },
    conflicts: typed.filter(
      (field) => !isSame(base[field], theirs[field]) && !isSame(mine[field], theirs[field]),
    ),
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
