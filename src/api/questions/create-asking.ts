// Long questions within the limits of all.

import { sightOfTeam } from '../../core/teams/sight.ts'
import { createTotals, seeUsage } from '../sight/seen-usage.ts'
import type { ApiOptions, ApiServices } from '../api-options.ts'
import { createLongQuestions, passOn, withQuestions } from './long-questions.ts'
import type { Ask } from './long-questions.ts'
import { createQuestionQueue, QUEUE_LIMITS } from './question-queue.ts'

export function createAsking(
  options: ApiOptions,
): Pick<ApiServices, 'questions' | 'askAs' | 'totalsOf'> {
  const { usage, limitHit } = options
  const { questionsOf, placesMax } = options.longQuestions ?? {
    questionsOf: (sight) => createLongQuestions(seeUsage(usage, sight)),
    placesMax: QUEUE_LIMITS.placesMax,
  }
  const queue = createQuestionQueue({ ...QUEUE_LIMITS, placesMax }, () =>
    limitHit?.('api_questions'),
  )
  const askAs: ApiServices['askAs'] = (asker) => {
    const { sight = null } = asker
    const questions = questionsOf(sight)
    const own = passOn((name, given) =>
      queue.run(asker, () => {
        const ask = questions[name] as (...given: Parameters<Ask>[1]) => Promise<unknown>
        return ask(...given)
      }),
    )
    const seen = seeUsage(usage, sight)
    return {
      questions: own,
      usage: withQuestions(seen, own, { areAllLong: sight !== null }),
      totalsOf: (teamId) => askAs({ ...asker, sight: sightOfTeam(teamId) }).usage,
    }
  }
  return { questions: questionsOf(null), askAs, totalsOf: createTotals(usage) }
}
