// How much the readers of a provider are given in one turn of the event loop, and how much of it
// JSON.parse reads. Bytes, not milliseconds: the figures are the same on a slow and on a fast
// machine.

import type { TestContext } from 'node:test'

import type { Clock } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Operation } from '../../src/providers/provider.ts'

export interface TurnWork {
  /** The same operation, with readers that are counted. */
  readonly count: (operation: Operation) => Operation
  /** The most that one turn has read since the last call. */
  readonly most: () => Work
}

export interface Work {
  fedBytes: number
  parsedBytes: number
}

interface Reader {
  feed(bytes: Uint8Array): unknown
}

/** A clock on which every look takes a millisecond. */
export function createSlowClock(): Clock {
  let passedMs = 0
  return { now: () => systemClock.now(), monotonic: () => passedMs++ }
}

export function openTurnWork(t: TestContext): TurnWork {
  let turn: Work = { fedBytes: 0, parsedBytes: 0 }
  let most: Work = { fedBytes: 0, parsedBytes: 0 }
  const { parse } = JSON
  t.mock.method(JSON, 'parse', (text: string) => {
    turn.parsedBytes += text.length
    return parse(text) as unknown
  })
  function endTurn(): void {
    most.fedBytes = Math.max(most.fedBytes, turn.fedBytes)
    most.parsedBytes = Math.max(most.parsedBytes, turn.parsedBytes)
    turn = { fedBytes: 0, parsedBytes: 0 }
  }
  let handle = setImmediate(function look() {
    endTurn()
    handle = setImmediate(look)
  })
  t.after(() => clearImmediate(handle))

  function countReader<Kind extends Reader | null>(reader: Kind): Kind {
    if (reader === null) return reader
    const feed = reader.feed.bind(reader)
    reader.feed = (bytes) => {
      turn.fedBytes += bytes.length
      return feed(bytes)
    }
    return reader
  }
  return {
    count: (operation) => ({
      ...operation,
      matches: (request) => operation.matches(request),
      createModelReader: (request) => countReader(operation.createModelReader(request)),
      createNamesReader: (request) => countReader(operation.createNamesReader(request)),
      createUsageReader: (request, response) =>
        countReader(operation.createUsageReader(request, response)),
    }),
    most: () => {
      endTurn()
      const found = most
      most = { fedBytes: 0, parsedBytes: 0 }
      return found
    },
  }
}
