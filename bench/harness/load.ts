// The load generator: a number of kept-alive connections, each with one call after the other as
// fast as they go, or all of them together at a steady pace.

import { setTimeout as pause } from 'node:timers/promises'

import { openConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import type { Contender } from './contender.ts'

export interface Load {
  readonly request: Buffer
  readonly connections: number
  readonly calls: number
}

export interface LoadFigures {
  readonly seconds: number
  /** From sending to the last byte. */
  readonly latenciesMs: readonly number[]
  /** Pieces in which an answer came, on average: how much was gathered on its way. */
  readonly pieces: number
}

export async function runCalls(contender: Contender, load: Load): Promise<LoadFigures> {
  const latenciesMs: number[] = []
  let begun = 0
  let pieces = 0
  const startedAt = performance.now()
  // A share of the calls for each connection would leave the last of them alone at the end.
  const callOn = async (): Promise<void> => {
    const connection = await openConnection(contender.port)
    while (begun < load.calls) {
      begun += 1
      const answer = await connection.ask(load.request)
      latenciesMs.push(answer.ms)
      pieces += answer.pieces
    }
    await connection.close()
  }
  try {
    await Promise.all(Array.from({ length: Math.min(load.connections, load.calls) }, callOn))
  } catch (cause) {
    throw new Error(`${contender.name}: ${(cause as Error).message}`, { cause })
  }
  const seconds = (performance.now() - startedAt) / 1000
  contender.answered += latenciesMs.length
  return { seconds, latenciesMs, pieces: pieces / latenciesMs.length }
}

const CONNECTIONS = 32
const CALLS_PER_SECOND = 500
const TICK_MS = 2

/**
 * A steady pace, as a company's traffic is: what a call takes is then how long it waits for
 * anything, not how many others were sent at once.
 */
export async function openPacedCallers(
  contender: Contender,
  request: Buffer,
  callsPerSecond = CALLS_PER_SECOND,
) {
  const opening = Array.from({ length: CONNECTIONS }, () => openConnection(contender.port))
  const all = await Promise.all(opening)
  const idle = [...all]

  /** What each call of that time took in milliseconds, from sending it to its last byte. */
  async function run(seconds: number): Promise<readonly number[]> {
    const waits: number[] = []
    const faults: unknown[] = []
    const call = async (connection: Connection): Promise<void> => {
      waits.push((await connection.ask(request)).ms)
      contender.answered += 1
      idle.push(connection)
    }
    const wanted = seconds * callsPerSecond
    const startedAt = performance.now()
    for (let sent = 0; sent < wanted || idle.length < all.length; await pause(TICK_MS)) {
      if (faults.length > 0) throw faults[0]
      const due = Math.min(wanted, ((performance.now() - startedAt) / 1000) * callsPerSecond)
      // The one that has rested longest first, so that all of them stay in use.
      for (const connection of idle.splice(0, Math.ceil(due - sent))) {
        call(connection).catch((error: unknown) => faults.push(error))
        sent += 1
      }
    }
    return waits
  }

  const close = async (): Promise<void> => {
    for (const connection of all) await connection.close()
  }
  return { run, close }
}
