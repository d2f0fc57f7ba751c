// What a route is given, in the name of whoever asks.

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { toActor } from '../../core/caller.ts'
import type { Caller } from '../../core/caller.ts'
import type { ApiServices } from '../api-options.ts'

/** A caller's changes are audited as its own, and its long questions wait among all. */
export function askedBy(services: ApiServices, asker: unknown, context: Context): ApiServices {
  if (!isCaller(asker)) return services
  const settings = services.settings.as(toActor(asker))
  // It is alone, and waits for no one.
  if (asker.kind === 'command') return { ...services, settings }
  const { outgoing } = context.env as HttpBindings
  // All sessions of a user are one.
  const id = asker.userId ?? asker.id
  return { ...services, settings, ...services.askAs({ id, signal: () => toSignal(outgoing) }) }
}

function isCaller(asker: unknown): asker is Caller {
  return typeof asker === 'object' && asker !== null && 'scopes' in asker
}

/** Aborted once the answer has been sent, or its connection is gone. */
export function toSignal(outgoing: HttpBindings['outgoing']): AbortSignal {
  const controller = new AbortController()
  if (outgoing.closed) controller.abort()
  else outgoing.once('close', () => controller.abort())
  return controller.signal
}
