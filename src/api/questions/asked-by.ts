// What a route is given, in the name of whoever asks and as they see it.

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { assert } from '../../core/assert.ts'
import { toActor } from '../../core/caller.ts'
import type { Caller } from '../../core/caller.ts'
import type { FoundSession } from '../../store/settings/session-store.ts'
import { toSessionCaller } from '../accounts/session-context.ts'
import type { ApiServices } from '../api-options.ts'
import { companyOnly } from '../sight/only-with.ts'
import { noteScoped } from '../sight/route-sight.ts'
import type { RouteSight } from '../sight/route-sight.ts'
import { seeServices } from '../sight/see-services.ts'

/** A caller's changes are audited as its own, and its long questions wait among all. */
export async function askedBy(
  services: ApiServices,
  asker: unknown,
  { context, about }: { readonly context: Context; readonly about: RouteSight },
): Promise<ApiServices> {
  if (about === 'anyone') return services
  const caller = await toCaller(asker, services)
  const { sight } = caller
  if (sight !== null && about === 'company') throw companyOnly()
  if (sight !== null) noteScoped(context)
  const seen = sight === null ? services : seeServices(services, sight)
  const settings = seen.settings.as(toActor(caller))
  // It is alone, and waits for no one.
  if (caller.kind === 'command') return { ...seen, settings }
  const { outgoing } = context.env as HttpBindings
  // All sessions of a user are one.
  const who = { id: caller.userId ?? caller.id, signal: () => toSignal(outgoing) }
  return { ...seen, settings, ...seen.askAs(who) }
}

async function toCaller(asker: unknown, services: ApiServices): Promise<Caller> {
  assert(typeof asker === 'object' && asker !== null, 'a route has a sight, and nobody asks')
  if ('scopes' in asker) return asker as Caller
  return toSessionCaller(asker as FoundSession, services, 'read:usage')
}

/** Aborted once the answer has been sent, or its connection is gone. */
export function toSignal(outgoing: HttpBindings['outgoing']): AbortSignal {
  const controller = new AbortController()
  if (outgoing.closed) controller.abort()
  else outgoing.once('close', () => controller.abort())
  return controller.signal
}
