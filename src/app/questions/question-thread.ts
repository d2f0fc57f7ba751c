// A thread that answers long questions from a store of its own, which it only reads.

import { parentPort, workerData } from 'node:worker_threads'

import { createLongQuestions } from '../../api/questions/long-questions.ts'
import type { QuestionName, QuestionsOf } from '../../api/questions/long-questions.ts'
import { seeUsage } from '../../api/sight/seen-usage.ts'
import type { UsageLocation } from '../../config/store-locations.ts'
import { assert } from '../../core/assert.ts'
import type { CallSight } from '../../core/teams/sight.ts'
import { openLedgerStoreToRead } from '../../store/open-store.ts'
import { toFault } from './question-fault.ts'
import type { QuestionFault } from './question-fault.ts'

export interface AskedQuestion {
  readonly number: number
  readonly name: QuestionName
  readonly given: readonly unknown[]
  readonly sight: CallSight | null
}

export type AnsweredQuestion =
  | { readonly kind: 'answer'; readonly number: number; readonly answer: unknown }
  | { readonly kind: 'fault'; readonly number: number; readonly fault: QuestionFault }

assert(parentPort !== null, 'long questions are answered in a thread')
const port = parentPort

let opening: Promise<QuestionsOf> | null = null

port.on('message', (asked: AskedQuestion) => void answer(asked))

async function answer({ number, name, given, sight }: AskedQuestion): Promise<void> {
  try {
    const ask = (await open())(sight)[name] as (...given: readonly unknown[]) => Promise<unknown>
    send({ kind: 'answer', number, answer: await ask(...given) })
  } catch (error) {
    send({ kind: 'fault', number, fault: toFault(error) })
  }
}

function send(message: AnsweredQuestion): void {
  port.postMessage(message)
}

/** A database that is away now may be there for the next question. */
async function open(): Promise<QuestionsOf> {
  opening ??= openStore()
  try {
    return await opening
  } catch (error) {
    opening = null
    throw error
  }
}

async function openStore(): Promise<QuestionsOf> {
  const store = await openLedgerStoreToRead(workerData as UsageLocation)
  assert(store !== null, 'the API has opened the usage store before')
  return (sight) => createLongQuestions(seeUsage(store.usage, sight))
}
