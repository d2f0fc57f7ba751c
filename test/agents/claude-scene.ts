// The real program with signing in from Claude Code turned on, a provider that remembers what it
// saw, a team that may use its stored credential, and people in it.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { UserLinkAnswer } from '../../src/api/contract.ts'
import { createBrowser } from '../fakes/browser.ts'
import type { Browser } from '../fakes/browser.ts'
import { askCodes, askUrl, discover, poll, toTokens } from '../fakes/callers/device-client.ts'
import type { Answer, Discovered, Tokens } from '../fakes/callers/device-client.ts'
import { PASSWORD } from '../fakes/sign-in-scene.ts'
import { anthropicMessage } from '../fakes/upstreams/anthropic-answer.ts'
import { openReplyingUpstream } from '../fakes/upstreams/replying-upstream.ts'
import type { AnswerReply, ReplyingUpstream } from '../fakes/upstreams/replying-upstream.ts'
import { openScene } from '../e2e/scene.ts'
import type { Scene } from '../e2e/scene.ts'

export const STORED = 'stored-credential-77aa01'
export const MODEL = 'claude-sonnet-4-5'

export interface ClaudeScene extends Scene {
  readonly provider: ReplyingUpstream
  /** Where the client is told to sign in. */
  readonly base: string
  readonly found: Discovered
  readonly managedSettings: string
  readonly teamId: string
  /** Of an administrator. */
  readonly admin: string
  person(name: string): Promise<Person>
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly browser: Browser
  /** All the way. */
  signIn(): Promise<Tokens>
}

/** Its own limits would look like the person's. */
const REPLY: AnswerReply = {
  ...anthropicMessage('The Ister.'),
  headers: {
    ...anthropicMessage('The Ister.').headers,
    'Anthropic-RateLimit-Requests-Remaining': '3999',
    'anthropic-ratelimit-unified-status': 'allowed_warning',
    'Request-Id': 'req_fake',
  },
}

export async function openClaudeScene(t: {
  after(close: () => Promise<void>): void
}): Promise<ClaudeScene> {
  const provider = await openReplyingUpstream([REPLY])
  t.after(() => provider.close())
  const managedSettings = mkdtempSync(join(tmpdir(), 'weir-managed-'))
  t.after(async () => rmSync(managedSettings, { recursive: true }))
  const credential = join(managedSettings, 'credential')
  writeFileSync(credential, STORED)
  const config = join(managedSettings, 'weir.yaml')
  const stored = { url: provider.url, credential: `file:${credential}` }
  writeFileSync(config, JSON.stringify({ providers: { anthropic: stored } }))
  mkdirSync(join(managedSettings, 'teams'))
  const scene = await openScene(t, {
    PROXY_WORKERS: '2',
    AGENTS_SIGN_IN_CLAUDE: 'on',
    AGENTS_MANAGED_SETTINGS: join(managedSettings, 'teams'),
    CONFIG: config,
  })
  const { json } = scene.commands
  const team = ['--name', 'Search', '--slug', 'search', '--use-credential', 'anthropic']
  const { id: teamId } = await json<{ id: string }>('teams', 'create', ...team)
  const words = ['tokens', 'create', '--name', 'admin', '--scope', 'admin']
  const { token: admin } = await json<{ token: string }>(...words)
  const { proxy, api } = scene.program.addresses
  const base = `${proxy}/claude`
  const found = await discover(base)
  const person = async (name: string): Promise<Person> => {
    const email = `${name}@example.com`
    await json('users', 'create', '--email', email, '--role', 'none')
    await json('teams', 'add', 'search', email)
    const { path, user } = await json<UserLinkAnswer>('users', 'link', email)
    const browser = createBrowser(api)
    const code = new URL(path, api).searchParams.get('code')
    const begun = await browser.ask('/v1/welcome', {
      method: 'POST',
      body: { code, password: PASSWORD },
    })
    assert.ok(begun.ok, await begun.text())
    const signIn = async (): Promise<Tokens> => {
      const { userCode, deviceCode } = await askCodes(found)
      const body = { user_code: userCode, team_id: teamId }
      const approved = await browser.ask('/v1/device/approve', { method: 'POST', body })
      assert.equal(approved.status, 200, await approved.text())
      return toTokens(await poll(found, deviceCode))
    }
    return { id: user.id, email, browser, signIn }
  }
  return {
    ...scene,
    provider,
    base,
    found,
    managedSettings: join(managedSettings, 'teams'),
    teamId,
    admin,
    person,
  }
}

/** A call as the client makes it. */
export function callMessages(base: string, access: string, body?: object): Promise<Answer> {
  return askUrl(`${base}/v1/messages?beta=true`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'claude-code-20250219',
      'x-app': 'cli',
    },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 16,
      messages: [{ role: 'user', content: 'Name a river.' }],
      ...body,
    }),
  })
}
