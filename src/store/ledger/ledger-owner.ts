// Owner of cursors and open calls: nodes that share a store settle only their own journals' calls.

export interface LedgerOwner {
  readonly node: string
  /** The directory of journals it reads. Worker names such as `w0` are unique only in there. */
  readonly journal: string
}

/** For what was stored before there were owners. */
export const NO_OWNER: LedgerOwner = Object.freeze({ node: '', journal: '' })
