// Weir's framing compared with Node's parser: what both accept, both must frame alike, and Weir
// accepts nothing that Node refuses. Weir may refuse more.

import { METHODS } from 'node:http'

import { createRandom, generateRequests } from './generate-requests.ts'
import { openNodeReader, readWithWeir } from './read-requests.ts'
import type { ReadOutcome, ReadRequest } from './read-requests.ts'

export interface Comparison {
  readonly sequences: number
  /** Requests that both readers accepted, and so were compared. */
  readonly compared: number
  readonly refusedByWeir: number
  readonly disagreements: readonly string[]
}

export interface ComparisonOptions {
  readonly seed: number
  readonly count: number
  /** Called now and then with how many sequences are done. */
  readonly progress?: (done: number) => void
}

const DISAGREEMENTS_MAX = 20
const PROGRESS_EVERY = 50_000

export async function compareFraming(options: ComparisonOptions): Promise<Comparison> {
  const random = createRandom(options.seed)
  const node = openNodeReader()
  const disagreements: string[] = []
  let compared = 0
  let refusedByWeir = 0
  for (let done = 1; done <= options.count; done++) {
    const text = generateRequests(random)
    const weir = readWithWeir(text)
    const result = compare(weir, await node.read(text))
    compared += result.compared
    if (weir.isRefused) refusedByWeir++
    if (result.reason !== null && disagreements.length < DISAGREEMENTS_MAX) {
      disagreements.push(`${result.reason} in ${JSON.stringify(text)}`)
    }
    if (done % PROGRESS_EVERY === 0) options.progress?.(done)
  }
  node.close()
  return { sequences: options.count, compared, refusedByWeir, disagreements }
}

interface Compared {
  readonly compared: number
  readonly reason: string | null
}

function compare(weir: ReadOutcome, node: ReadOutcome): Compared {
  for (const [at, ours] of weir.requests.entries()) {
    // Node knows a list of methods, we know what a method may look like: not a matter of framing.
    if (!METHODS.includes(ours.method)) return { compared: at, reason: null }
    const theirs = node.requests[at]
    if (theirs === undefined) {
      return { compared: at, reason: `request ${at + 1} is accepted by Weir alone` }
    }
    if (!isSame(ours, theirs)) {
      return { compared: at, reason: `request ${at + 1} is framed differently` }
    }
  }
  return { compared: weir.requests.length, reason: null }
}

function isSame(ours: ReadRequest, theirs: ReadRequest): boolean {
  return JSON.stringify(ours) === JSON.stringify(theirs)
}
