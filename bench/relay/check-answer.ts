// Before a contender is measured: does it give the answer that the upstream gave? A benchmark of
// refusals, or of answers that were changed on the way, is worth nothing.

import { ID } from '../harness/calls.ts'
import type { Contender } from '../harness/contender.ts'
import type { Workload } from './workload.ts'

const ANSWER_MS_MAX = 30_000
const SHOWN_CHARACTERS = 200

/**
 * What is wrong with its answer, in a sentence; null when it is the one expected. The body is
 * compared as a client reads it, with its chunks put together.
 */
export async function checkAnswer(
  contender: Contender,
  workload: Workload,
  expected: string,
): Promise<string | null> {
  const { status, body } = await readAnswer(contender, workload)
  const shown = body.slice(0, SHOWN_CHARACTERS)
  if (status !== 200) return `${contender.name} answered ${status}, ${shown}`
  const isSame = contender.isPassThrough ? body === expected : body.includes(ID)
  return isSame ? null : `${contender.name} changed the answer, ${shown}`
}

export async function readAnswer(
  contender: Contender,
  workload: Workload,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = contender.headers.map((line) => line.split(': ', 2) as [string, string])
  headers.push(['content-type', 'application/json'], ['authorization', 'Bearer sk-bench'])
  const answer = await fetch(`http://127.0.0.1:${contender.port}${contender.path}`, {
    method: 'POST',
    headers,
    body: workload.body,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  const body = await answer.text()
  if (answer.status === 200) contender.answered += 1
  return { status: answer.status, body }
}
