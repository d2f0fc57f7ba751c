// Long questions within the limits of all.

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
