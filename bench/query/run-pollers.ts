// Two dashboards that poll the usage API, in a process of its own so that reading their answers is
// charged to no caller. One asks new questions, the other the same few questions again and again.
// Each message turns them on or off; the answer says what they were answered so far.

import { constants, setPriority } from 'node:os'

import { createRandom } from '../../test/torture/random.ts'
import { answerParent } from '../../test/fakes/servers/child.ts'
import { createPurse, openAsker } from './asker.ts'
import type { Asker } from './asker.ts'
import { LIMITS, listCatalogue } from './questions.ts'
import type { Question } from './questions.ts'

export interface ToPollers {
  readonly isOn: boolean
  readonly api: string
  readonly tokens: readonly string[]
}

export interface FromPollers {
  readonly answers: number
  /** Of them, worked out for this very question. */
  readonly uncached: number
}

const POLL_MS = 50
/** As many as a page shows. */
const ROWS_MAX = 50
const SEED = 20_261_116

const random = createRandom(SEED)
const all = listCatalogue()
/** Breakdowns of any kind: with a limit, a month and a key to draw, hardly two are the same. */
const breakdowns = all.filter(({ isOfMonth, limit }) => isOfMonth && limit === LIMITS[0])
const repeated = all.map(({ draw }) => draw(random))
let answers = 0
let uncached = 0
let isOn = false
let polling: Promise<unknown> = Promise.resolve()
let nextHeader: (() => string) | null = null

function drawNew(): string {
  const { draw } = breakdowns[random(breakdowns.length)] as Question
  return draw(random).replace(/limit=\d+/, `limit=${1 + random(ROWS_MAX)}`)
}

function drawRepeated(): string {
  return repeated[random(repeated.length)] as string
}

/** Until they are turned off, at the next beat behind each answer. */
async function poll(asker: Asker, draw: () => string): Promise<void> {
  while (isOn) {
    await new Promise((beat) => setTimeout(beat, POLL_MS - (performance.now() % POLL_MS)))
    const askedAtMs = Date.now()
    const { asOfMs } = await asker.ask(draw())
    answers += 1
    if (asOfMs >= askedAtMs) uncached += 1
  }
  await asker.close()
}

// They stand for other machines: what reading answers takes of this one is nothing that callers
// would feel.
setPriority(constants.priority.PRIORITY_LOW)
answerParent(async (message: ToPollers): Promise<FromPollers> => {
  isOn = false
  // Nothing of theirs is left to do for the API when they are off.
  await polling
  ;({ isOn } = message)
  if (isOn) {
    nextHeader ??= createPurse(message.tokens)
    const { api } = message
    // Connections of their own each time: the API ends those on which nothing is asked.
    const askers = [await openAsker(api, nextHeader), await openAsker(api, nextHeader)] as const
    polling = Promise.all([poll(askers[0], drawNew), poll(askers[1], drawRepeated)])
  }
  return { answers, uncached }
})
