import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { furtherReadings, toPlainPath } from './plain-path.ts'

const PLAIN: readonly (readonly [path: string, plain: string])[] = [
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['', ''],
  ['/', '/'],
  ['/v1/%63hat/%43ompletion%73', '/v1/chat/Completions'],
  ['/v1/models/m%3Agenerate', '/v1/models/m:generate'],
  ['//v1///chat//completions', '/v1/chat/completions'],
  ['/v1/chat/completions/', '/v1/chat/completions'],
  ['/v1/chat/completions//', '/v1/chat/completions'],
  // What could end a segment, the path or an escape is left as it is.
  ['/v1/a%2Fb/c%5cd', '/v1/a%2Fb/c%5cd'],
  ['/v1/a%3Fb%23c%3bd', '/v1/a%3Fb%23c%3bd'],
  ['/v1/a;v=1/b', '/v1/a;v=1/b'],
  ['/v1/%2563hat', '/v1/%2563hat'],
  ['/v1/%00%20%7f%C3%A9', '/v1/%00%20%7f%C3%A9'],
  ['/v1/100%/%zz/%6', '/v1/100%/%zz/%6'],
]

describe('a path in plain spelling', () => {
  for (const [path, plain] of PLAIN) {
    test(`of ${path} is ${plain}`, () => assert.equal(toPlainPath(path), plain))
  }
})

const FURTHER: readonly (readonly [path: string, ...readings: string[]])[] = [
  ['/v1/chat/completions'],
  ['/v1/chat%2Fcompletions', '/v1/chat/completions'],
  ['/v1/chat%5ccompletions', '/v1/chat/completions'],
  ['/v1/%2563hat/completions', '/v1/chat/completions'],
  ['/v1/%252563hat/completions', '/v1/chat/completions'],
  ['/v1/chat;v=1/completions', '/v1/chat/completions', '/v1/chat'],
  ['/v1/chat/completions;v=1', '/v1/chat/completions'],
  ['/v1/chat%3Bv=1/completions', '/v1/chat/completions', '/v1/chat'],
  ['/v1/responses/%3Fx/cancel', '/v1/responses/?x/cancel', '/v1/responses'],
  ['/v1/Chat/Completions', '/v1/chat/completions'],
  ['/v1/Chat%2fX', '/v1/Chat/X', '/v1/chat/x'],
]

describe('further readings', () => {
  for (const [path, ...readings] of FURTHER) {
    const shown = readings.length === 0 ? 'are none' : `are ${readings.join(', ')}`
    test(`of ${path} ${shown}`, () => assert.deepEqual(furtherReadings(path), readings))
  }
})
