// Whose cursors and open calls. Several nodes may share a store: each stores its own journal and
// settles its own calls.

export interface LedgerOwner {
  /** A machine, or rather its data directory. */
  readonly node: string
  /**
   * The directory of journals that it reads. Worker names such as `w0` are unique in there only.
   */
  readonly journal: string
}

/** Of what was stored before there were owners. */
export const NO_OWNER: LedgerOwner = Object.freeze({ node: '', journal: '' })
