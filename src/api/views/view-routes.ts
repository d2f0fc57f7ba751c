// Saved views over HTTP. Must stay true: a view that is not shared is seen by its owner alone, and
// only its owner changes a view; an administrator may change those that are shared.

import type { Caller } from '../../core/caller.ts'
import { toUserActor } from '../../core/user.ts'
import type { User } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import { VIEW_CODEC } from '../../resources/codecs.ts'
import type { SavedView } from '../../store/settings/view-store.ts'
import { SHARED_VIEWS_MAX, VIEWS_PER_USER_MAX } from '../../store/settings/view-store.ts'
import { SIGNED_IN } from '../accounts/session-access.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { toIso } from '../iso-time.ts'
import { error, notFound } from '../route-answers.ts'
import {
  VIEW_ID_EXAMPLE,
  newViewSchema,
  viewChangeSchema,
  viewListSchema,
  viewSchema,
} from './view-contract.ts'
import type { ViewRow } from './view-contract.ts'

const defineRoute = routesOf('Saved views')
const VIEW = { noun: 'view', description: 'The id of a view, `view_…`.', example: VIEW_ID_EXAMPLE }
const OWNER_ONLY =
  'Its owner may, and an administrator if it is shared. To others, what is not shared is not there.'
const CHANGE = {
  access: SIGNED_IN,
  sight: 'scoped',
  id: VIEW,
  answers: {
    ...SIGNED_IN.faults('PATCH'),
    403: error(
      "`scope_denied`: the view is another user's; `cross_site`: another site's page asked for it.",
      { error: 'This view is Ada’s. Save one of your own instead.', code: 'scope_denied' },
    ),
  },
} as const

export const VIEW_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/views', {
    name: 'listViews',
    summary: 'The saved views that you see',
    description: 'Your own and the shared ones; with a token, the shared ones.',
    access: withScope('read:usage'),
    sight: 'scoped',
    answer: ok('The views.', viewListSchema),
    handle: async ({ services, caller }) => {
      const views = await services.settings.views.list(caller.userId)
      return { rows: views.map((view) => toViewRow(view, toViewer(caller))) }
    },
  }),
  defineRoute('POST /v1/views', {
    name: 'createView',
    summary: 'Save a view',
    description: `It is the session's user's. At most ${VIEWS_PER_USER_MAX} a user, and ${SHARED_VIEWS_MAX} shared ones. Not shared unless it says so.`,
    access: SIGNED_IN,
    sight: 'scoped',
    body: { schema: newViewSchema },
    answer: created('The view.', viewSchema),
    handle: async ({ services, caller: { user }, body }) => {
      const { views } = services.settings.as(toUserActor(user))
      const view = await views.create(user.id, VIEW_CODEC.fromNew(body))
      return toViewRow(view, user)
    },
  }),
  defineRoute('PATCH /v1/views/{id}', {
    name: 'changeView',
    summary: 'Rename, change or share a view',
    description: `What is left out stays. ${OWNER_ONLY}`,
    ...CHANGE,
    body: { schema: viewChangeSchema, example: { shared: false } },
    answer: ok('The view as it is now.', viewSchema),
    handle: async ({ services, caller: { user }, id, body, missing }) => {
      await requireChangeable(services, user, id)
      const { views } = services.settings.as(toUserActor(user))
      return toViewRow((await views.update(id, VIEW_CODEC.fromWire(body))) ?? missing(), user)
    },
  }),
  defineRoute('DELETE /v1/views/{id}', {
    name: 'deleteView',
    summary: 'Delete a view',
    description: OWNER_ONLY,
    ...CHANGE,
    answer: ok('The view as it was.', viewSchema),
    handle: async ({ services, caller: { user }, id, missing }) => {
      await requireChangeable(services, user, id)
      const { views } = services.settings.as(toUserActor(user))
      return toViewRow((await views.remove(id)) ?? missing(), user)
    },
  }),
]

/** Null for a program: it owns no views. */
type Viewer = Pick<User, 'id' | 'role'> | null

function toViewer({ userId, scopes }: Caller): Viewer {
  if (userId === null) return null
  return { id: userId, role: scopes.includes('admin') ? 'admin' : 'viewer' }
}

function canChange({ userId, isShared }: SavedView, viewer: Viewer): boolean {
  if (viewer === null) return false
  return userId === viewer.id || (isShared && viewer.role === 'admin')
}

async function requireChangeable({ settings }: ApiServices, user: User, id: string): Promise<void> {
  const view = await settings.views.find(id)
  if (view === null || (!view.isShared && view.userId !== user.id)) throw notFound(VIEW)
  if (canChange(view, user)) return
  throw new WeirError('scope_denied', `This view is ${view.ownerName}’s.`, {
    hint: 'Save one of your own instead.',
  })
}

function toViewRow(view: SavedView, viewer: Viewer): ViewRow {
  return {
    id: view.id,
    ...VIEW_CODEC.toAnswer(view),
    owner: view.ownerName,
    is_own: viewer !== null && view.userId === viewer.id,
    can_change: canChange(view, viewer),
    created_at: toIso(view.createdAt),
    updated_at: toIso(view.updatedAt),
  }
}
