// Saved views among the settings: questions of the console under a name. They belong to a user, and
// go when the user is removed.

import type { ViewSettings } from '../../resources/codecs.ts'

export interface SavedView extends ViewSettings {
  readonly id: string
  readonly userId: string
  /** The owner's name, as it is now. */
  readonly ownerName: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** What one user may save. */
export const VIEWS_PER_USER_MAX = 100
/** Of all users together, so that a list of them stays short. */
export const SHARED_VIEWS_MAX = 1000

/** The page of a view stays. */
export type ViewChange = Partial<Omit<ViewSettings, 'page'>>

export interface ViewStore {
  /** No two views of a user have one name on one page. */
  create(userId: string, settings: ViewSettings): Promise<SavedView>
  /** The user's own and those that are shared, by name; with null the shared ones alone. */
  list(userId: string | null): Promise<readonly SavedView[]>
  /** Null when there is no such view; the same below. */
  find(id: string): Promise<SavedView | null>
  update(id: string, change: ViewChange): Promise<SavedView | null>
  remove(id: string): Promise<SavedView | null>
}
