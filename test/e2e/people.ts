// A person with personal keys, and whether a proxy takes one of them.

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { UserLinkAnswer } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { CallerKey } from './scene.ts'

/** Only what hangs takes so long. */
const WAIT_MS_MAX = 120_000

type Json = <Shape>(...words: readonly string[]) => Promise<Shape>

export interface Person {
  readonly personId: string
  /** A personal key in their team. */
  readonly create: () => Promise<CallerKey>
  /** Of an administrator. */
  readonly token: string
}

export async function makePerson(json: Json): Promise<Person> {
  const email = 'ada@example.com'
  await json('teams', 'create', '--name', 'Search', '--slug', 'search')
  const { user } = await json<UserLinkAnswer>('users', 'create', '--email', email, '--role', 'none')
  await json('teams', 'add', 'search', email)
  const words = ['keys', 'create', '--name', 'laptop', '--team', 'search', '--personal', email]
  const admin = ['tokens', 'create', '--name', 'directory', '--scope', 'admin']
  const { token } = await json<{ token: string }>(...admin)
  return { personId: user.id, create: () => json<CallerKey>(...words), token }
}

type Ask = (method: 'PATCH' | 'POST', path: string, body?: object) => Promise<void>

export function askAs(api: string, token: string): Ask {
  return async (method, path, body) => {
    const response = await fetch(api + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, text)
  }
}

/** The status of a call, or the code of its refusal. */
export async function callWith(proxy: string, key: string): Promise<string> {
  const response = await fetch(`${proxy}/v1/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-api-key': key },
    body: '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Name a river."}]}',
  })
  await response.arrayBuffer()
  return response.headers.get('x-svc-error') ?? String(response.status)
}

/** For how many milliseconds calls were still begun that passed. */
export async function untilRefused(proxy: string, key: string): Promise<number> {
  const startedAt = systemClock.monotonic()
  let passedAt = startedAt
  await until(async () => {
    const begunAt = systemClock.monotonic()
    const answer = await callWith(proxy, key)
    if (answer === '200') passedAt = begunAt
    return answer === 'key_paused'
  })
  return passedAt - startedAt
}

export function untilPassed(proxy: string, key: string): Promise<void> {
  return until(async () => (await callWith(proxy, key)) === '200')
}

export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const endsAt = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < endsAt, 'it never came to be')
    await pause(10)
  }
}
