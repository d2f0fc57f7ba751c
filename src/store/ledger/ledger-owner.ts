// Owner of cursors and open calls. Several nodes may share a store: each stores its own journal and
// settles its own calls.

export interface LedgerOwner {
  readonly node: string
  /** The directory of journals it reads. Worker names such as `w0` are unique only in there. */
  readonly journal: string
}

/** For what was stored before there were owners. */
export const NO_OWNER: LedgerOwner = Object.freeze({ node: '', journal: '' })
