// Long questions in the name of whoever asks.

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from '../../core/caller.ts'
import type { ApiServices } from '../api-options.ts'

/** Nobody but a caller asks such questions; a command is alone, and waits for no one. */
export function askedBy(services: ApiServices, asker: unknown, context: Context): ApiServices {
  if (!isCaller(asker) || asker.kind === 'command') return services
  const { outgoing } = context.env as HttpBindings
  // All sessions of a user are one.
  const id = asker.userId ?? asker.id
  return { ...services, ...services.askAs({ id, signal: () => toSignal(outgoing) }) }
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
