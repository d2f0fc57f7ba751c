// Two dashboards that poll the usage API, in a process of its own so that reading their answers is
// charged to no caller. One asks new questions, the other the same few questions again and again.
// Each message turns them on or off; the answer says what they were answered so far.

import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

import { createRandom } from '../ledger/company.ts'
import { createPurse, openAsker } from './asker.ts'
import type { Answer, Asker, Purse } from './asker.ts'
import { listQuestions, toSearch } from './questions.ts'
import type { Question } from './questions.ts'

export interface ToPollers {
  readonly isOn: boolean
  readonly port: number
  readonly tokens: readonly string[]
}

export interface FromPollers {
  readonly answers: number
  /** Of them, worked out for this very question. */
  readonly uncached: number
}

const POLL_MS = 50
const END_LOOK_MS = 5
/** As many as a page shows. */
const ROWS_MAX = 50
const SEED = 20_261_116

const random = createRandom(SEED)
const all = listQuestions()
/** Breakdowns of any kind: with a limit, a month and a key to draw, hardly two are the same. */
const open = all.filter(({ row, window }) => row.dimension !== null && window === 'month')
const repeated = all.map((question) => toSearch(question, random))
let answers = 0
let uncached = 0
let isOn = false
let pollers: readonly Poller[] = []
let purse: Purse | null = null

interface Poller {
  readonly asker: Asker
  readonly draw: () => string
  isWaiting: boolean
}

function drawNew(): string {
  const question = open[random(open.length)] as Question
  return toSearch({ ...question, limit: 1 + random(ROWS_MAX) }, random)
}

function drawRepeated(): string {
  return repeated[random(repeated.length)] as string
}

async function poll(poller: Poller): Promise<void> {
  if (!isOn || poller.isWaiting) return
  poller.isWaiting = true
  const askedAtMs = Date.now()
  const { asOfMs }: Answer = await poller.asker.ask(poller.draw())
  answers += 1
  if (asOfMs >= askedAtMs) uncached += 1
  poller.isWaiting = false
}

/** Connections of their own each time: the API ends those on which nothing is asked. */
async function openPollers({ port, tokens }: ToPollers): Promise<readonly Poller[]> {
  purse ??= createPurse(tokens)
  return [
    { asker: await openAsker(port, purse), draw: drawNew, isWaiting: false },
    { asker: await openAsker(port, purse), draw: drawRepeated, isWaiting: false },
  ]
}

function report(): void {
  const message: FromPollers = { answers, uncached }
  process.send?.(message)
}

/** Nothing of theirs is left to do for the API when they are off. */
async function closePollers(): Promise<void> {
  while (pollers.some(({ isWaiting }) => isWaiting)) await pause(END_LOOK_MS)
  for (const { asker } of pollers) await asker.close()
  pollers = []
}

async function obey(message: ToPollers): Promise<void> {
  isOn = false
  await closePollers()
  if (message.isOn) pollers = await openPollers(message)
  isOn = message.isOn
  report()
}

// They stand for other machines: what reading answers takes of this one is nothing that callers
// would feel.
setPriority(constants.priority.PRIORITY_LOW)
process.on('message', (message: ToPollers) => void obey(message))
setInterval(() => {
  for (const poller of pollers) void poll(poller)
}, POLL_MS)
process.once('disconnect', () => process.exit(0))
report()
