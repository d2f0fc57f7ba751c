// A provider with one operation, POST /talk, whose JSON body names a model and whose answer names
// the one that ran. For what concerns the relay rather than a real provider's ways.

import { createTokenCounts } from '../../../src/core/token-counts.ts'
import { defineProvider } from '../../../src/providers/provider.ts'
import type { NamesFound, Provider, Reading } from '../../../src/providers/provider.ts'

export function createTalkProvider(id: string, changes: Partial<Reading> = {}): Provider {
  return defineProvider({
    id,
    upstream: null,
    operations: [
      {
        name: 'talk',
        matches: (request) => request.path === '/talk',
        createModelReader: () => createModelOf((model) => model),
        createNamesReader: () => createModelOf(toNames),
        createUsageReader: () => {
          const reader = createModelOf((model) => toReading(model, changes))
          return { feed: (bytes) => void reader.feed(bytes), end: () => reader.end() }
        },
      },
    ],
  })
}

/** A whole answer that says which model ran. */
export function talkAnswer(model: string): string {
  const body = JSON.stringify({ model })
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function createModelOf<Result>(read: (model: string | null) => Result) {
  const pieces: Uint8Array[] = []
  return {
    feed: (bytes: Uint8Array): boolean => {
      pieces.push(Uint8Array.from(bytes))
      return false
    },
    end: (): Result => read(parseModel(Buffer.concat(pieces).toString())),
  }
}

function parseModel(text: string): string | null {
  try {
    const value = JSON.parse(text) as { model?: unknown }
    return typeof value.model === 'string' ? value.model : null
  } catch {
    return null
  }
}

function toNames(model: string | null): NamesFound {
  if (model === null) return { kind: 'unreadable', reason: 'it names no model' }
  return { kind: 'named', names: [model] }
}

function toReading(model: string | null, changes: Partial<Reading>): Reading {
  return {
    kind: 'reported',
    model,
    tokens: createTokenCounts({ input: 3, output: 2 }),
    toolCalls: {},
    serviceTier: null,
    billing: null,
    hasError: false,
    ...changes,
  }
}
