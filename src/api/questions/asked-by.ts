// Long questions in the name of whoever asks, within the limits of all.

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from '../../core/caller.ts'
import type { ApiOptions, ApiServices } from '../api-options.ts'
import { createLongQuestions, passOn, withQuestions } from './long-questions.ts'
import type { Ask } from './long-questions.ts'
import { createQuestionQueue, QUEUE_LIMITS } from './question-queue.ts'

export function createAsking(options: ApiOptions): Pick<ApiServices, 'questions' | 'askAs'> {
  const { usage, limitHit } = options
  const { questions, placesMax } = options.longQuestions ?? {
    questions: createLongQuestions(usage),
    placesMax: QUEUE_LIMITS.placesMax,
  }
  const queue = createQuestionQueue({ ...QUEUE_LIMITS, placesMax }, () =>
    limitHit?.('api_questions'),
  )
  const askAs: ApiServices['askAs'] = (asker) => {
    const own = passOn((name, given) =>
      queue.run(asker, () => {
        const ask = questions[name] as (...given: Parameters<Ask>[1]) => Promise<unknown>
        return ask(...given)
      }),
    )
    return { questions: own, usage: withQuestions(usage, own) }
  }
  return { questions, askAs }
}

/** Nobody but a caller asks such questions. */
export function askedBy(services: ApiServices, asker: unknown, context: Context): ApiServices {
  if (!isCaller(asker)) return services
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
