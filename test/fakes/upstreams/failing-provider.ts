// A provider with one operation, at /talk, whose functions throw as a test asks for it: one, or
// every one.

import { defineProvider, NO_READING } from '../../../src/providers/provider.ts'
import type { Operation, Provider, Reading } from '../../../src/providers/provider.ts'
import { createTokenCounts } from '../../../src/core/token-counts.ts'

export const EVERY = 'every function'

/** What its messages quote must never be logged. */
export const SECRET = 'a prompt that was quoted'

const REPORTED: Reading = {
  ...NO_READING,
  kind: 'reported',
  model: 'big-1',
  tokens: createTokenCounts({ input: 3, output: 2 }),
}

export function createFailingProvider(failing: string): Provider {
  const run = <Result>(name: string, result: Result): Result => {
    if (failing === name || failing === EVERY) throw new TypeError(`${name} fails at ${SECRET}`)
    return result
  }
  const createNamesReader: Operation['createNamesReader'] = () => ({
    feed: () => run('namesReader.feed', undefined),
    end: () => run('namesReader.end', { kind: 'named', names: ['big-1'] }),
  })
  return defineProvider({
    id: 'some',
    upstream: null,
    prepare: () => run('prepare', undefined),
    operations: [
      {
        name: 'talk',
        matches: ({ path }) => run('matches', path === '/talk'),
        createModelReader: () =>
          run('createModelReader', {
            feed: () => run('modelReader.feed', false),
            // What the head of a tunnel leaves out, its messages are read for.
            end: () => run('modelReader.end', null),
            complete: (reading: Reading) => run('modelReader.complete', reading),
          }),
        createNamesReader: (request) => run('createNamesReader', createNamesReader(request)),
        createUsageReader: () => run('createUsageReader', createUsageReader(run)),
        tunnel: {
          createUsageReader: () =>
            run('tunnel.createUsageReader', {
              read: () => run('messageReader.read', undefined),
              end: (isWhole: boolean) => run('messageReader.end', toReading(isWhole)),
            }),
          createNamesReader: () =>
            run('tunnel.createNamesReader', {
              feed: () => run('namesReader.feed', undefined),
              end: () => run('namesReader.end', { kind: 'named', names: ['big-1'] } as const),
            }),
          readModel: () => run('tunnel.readModel', 'big-1'),
          readAsk: () => run('tunnel.readAsk', null),
        },
      },
    ],
  })
}

/** What broke off, or failed on the way, was not read: it has nothing to say of a part. */
function toReading(isWhole: boolean): Reading {
  return isWhole ? REPORTED : { ...NO_READING, kind: 'malformed' }
}

function createUsageReader(run: <Result>(name: string, result: Result) => Result) {
  return {
    get keptTextBytes(): number | undefined {
      return run('usageReader.keptTextBytes', undefined)
    },
    dropText: () => run('usageReader.dropText', undefined),
    feed: () => run('usageReader.feed', undefined),
    end: (isWhole: boolean) => run('usageReader.end', toReading(isWhole)),
  }
}
