// GET /v1/overview. A snapshot like those of /v1/usage: whoever asks within a minute is given the same.

import type { Context } from 'hono'
import type { ApiServices } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { refuseParameters } from '../parse-parameters.ts'
import { readOverview } from './read-overview.ts'
import type { KeptQuestion } from './usage-snapshots.ts'

const KEPT_MS = 60_000
/** Whoever waits for the first call of all sees it come. */
const KEPT_MS_WITHOUT_CALLS = 1000

export async function answerOverview(context: Context, services: ApiServices): Promise<Response> {
  await authorize(context, services, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const { clock, usageSnapshots } = services
  const { body, validUntil } = await usageSnapshots.readKept(toQuestion(services))
  const leftSeconds = Math.max(0, Math.floor((validUntil - clock.now()) / 1000))
  return context.body(body, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': `private, max-age=${leftSeconds}`,
    Vary: 'Authorization, Cookie',
  })
}

function toQuestion(services: ApiServices): KeptQuestion {
  return {
    name: 'overview',
    compute: async (nowMs) => {
      const overview = await readOverview(services, nowMs)
      const keptMs = overview.has_calls ? KEPT_MS : KEPT_MS_WITHOUT_CALLS
      return { text: JSON.stringify(overview), keptMs }
    },
  }
}
