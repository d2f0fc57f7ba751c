// An answer of the API with its error taken apart, for tests of what is refused.

import assert from 'node:assert/strict'

export interface Answer {
  readonly status: number
  /** Undefined where it is no error. */
  readonly code: string | undefined
  readonly error: string
  readonly headers: Headers
}

export async function readAnswer(response: Response): Promise<Answer> {
  const body = (await response.json()) as Record<string, string>
  if (!response.ok) {
    assert.deepEqual(Object.keys(body), ['error', 'code'])
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
  }
  const { code, error = '' } = body
  return { status: response.status, code, error, headers: response.headers }
}
