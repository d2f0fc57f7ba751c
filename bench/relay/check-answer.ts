// Before a contender is measured: does it give the answer that the upstream gave? A benchmark of
// refusals, or of answers that were changed on the way, is worth nothing.

import { ID } from './calls.ts'
import type { Contender } from './contender.ts'
import type { Workload } from './workload.ts'

const ANSWER_MS_MAX = 30_000
const SHOWN_CHARACTERS = 200

/** The body as a client reads it, with its chunks put together. */
export async function readAnswer(contender: Contender, workload: Workload): Promise<string> {
  const { status, body } = await call(contender, workload)
  if (status !== 200) throw new Error(`${contender.name} answered ${status}.`)
  return body
}

/** What is wrong with its answer, in a sentence; null when it is the upstream's own. */
export async function checkAnswer(
  contender: Contender,
  workload: Workload,
  expected: string,
): Promise<string | null> {
  const { status, body } = await call(contender, workload)
  const shown = body.slice(0, SHOWN_CHARACTERS)
  if (status !== 200) return `${contender.name} answered ${status}, ${shown}`
  const isSame = contender.isPassThrough ? body === expected : body.includes(ID)
  return isSame ? null : `${contender.name} changed the answer, ${shown}`
}

async function call(
  contender: Contender,
  workload: Workload,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = contender.headers.map((line) => line.split(': ', 2) as [string, string])
  const answer = await fetch(`http://127.0.0.1:${contender.port}${contender.path}`, {
    method: 'POST',
    headers: [
      ...headers,
      ['content-type', 'application/json'],
      ['authorization', 'Bearer sk-bench'],
    ],
    body: workload.body,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  const body = await answer.text()
  if (answer.status === 200) contender.answered++
  return { status: answer.status, body }
}
