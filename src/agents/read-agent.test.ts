// What is read of each tool's headers, as the tools send them, and of headers that lie.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { findHeadEnd, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import { AgentReader } from './read-agent.ts'
import type { AgentReading } from './read-agent.ts'
import { toRepositoryName } from './turn-metadata.ts'

const KEEP = { keepsRepository: true, toKept: (id: string) => id }

function toLines(headers: readonly string[]) {
  const bytes = Buffer.from(
    ['POST / HTTP/1.1', 'Host: a', ...headers, '', ''].join('\r\n'),
    'latin1',
  )
  const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 100)
  assert.ok(!isFault(head))
  return head.lines
}

function read(headers: readonly string[], options = KEEP): AgentReading {
  return new AgentReader(options).read(toLines(headers))
}

const CODEX_TURN = JSON.stringify({
  installation_id: '1f0c-install',
  session_id: '019a-session',
  turn_id: 'turn-1',
  request_kind: 'turn',
  agent_name: 'reviewer',
  workspaces: {
    '/src/shop': {
      associated_remote_urls: { origin: 'https://ada:secret@github.com/acme/shop.git' },
    },
  },
})

const SENT: readonly (readonly [
  name: string,
  headers: readonly string[],
  read: Omit<AgentReading, 'isClaude'>,
])[] = [
  [
    'Claude Code',
    [
      'User-Agent: claude-cli/2.1.197 (external, sdk-cli)',
      'x-app: cli',
      'X-Claude-Code-Session-Id: 6f3a2f9e-0d2b-4a7e-9a51-6a1d2a3f1b77',
      'X-Stainless-Retry-Count: 0',
    ],
    {
      facts: { '@tool': 'claude-code', '@tool_version': '2', '@agent_kind': 'main' },
      agent: { toolVersion: '2.1.197', session: '6f3a2f9e-0d2b-4a7e-9a51-6a1d2a3f1b77' },
    },
  ],
  [
    "Claude Code's subagent, sent once more",
    [
      'user-agent: claude-cli/2.1.326 (external, cli)',
      'x-claude-code-session-id: s-1',
      'x-claude-code-agent-id: a-2',
      'x-claude-code-parent-agent-id: a-1',
      'x-stainless-retry-count: 2',
    ],
    {
      facts: { '@tool': 'claude-code', '@tool_version': '2', '@agent_kind': 'subagent' },
      agent: {
        toolVersion: '2.1.326',
        session: 's-1',
        agent: 'a-2',
        parentAgent: 'a-1',
        retry: 2,
      },
    },
  ],
  [
    'Claude Code before it had a header for its session: its body says which agent it is',
    ['User-Agent: claude-cli/1.0.3 (external, cli)'],
    {
      facts: { '@tool': 'claude-code', '@tool_version': '1' },
      agent: { toolVersion: '1.0.3' },
    },
  ],
  [
    'Codex',
    [
      'originator: codex_exec',
      'User-Agent: codex_exec/0.169.0 (Debian 13.0.0; x86_64) unknown (codex_exec; 0.169.0)',
      'session-id: 019a-session',
      'thread-id: 019a-thread',
      `x-codex-turn-metadata: ${CODEX_TURN}`,
    ],
    {
      facts: {
        '@tool': 'codex',
        '@tool_version': '0',
        '@agent_kind': 'main',
        '@repository': 'github.com/acme/shop',
      },
      agent: {
        toolVersion: '0.169.0',
        session: '019a-session',
        agent: 'reviewer',
        device: '1f0c-install',
      },
    },
  ],
  [
    "an older Codex's subagent",
    ['User-Agent: codex_cli_rs/0.40.0', 'session_id: s-2', 'x-openai-subagent: review'],
    {
      facts: { '@tool': 'codex', '@tool_version': '0', '@agent_kind': 'subagent' },
      agent: { toolVersion: '0.40.0', session: 's-2', agent: 'review' },
    },
  ],
  [
    'Gemini CLI, which says no session',
    [
      'User-Agent: GeminiCLI-tui/0.61.0/gemini-2.5-pro (linux; x64)',
      'x-gemini-api-privileged-user-id: install-3',
    ],
    {
      facts: { '@tool': 'gemini-cli', '@tool_version': '0' },
      agent: { toolVersion: '0.61.0', device: 'install-3' },
    },
  ],
  [
    'opencode',
    ['User-Agent: opencode/1.18.33 ai-sdk/5', 'x-session-id: ses_1', 'x-session-affinity: ses_1'],
    {
      facts: { '@tool': 'opencode', '@tool_version': '1', '@agent_kind': 'main' },
      agent: { toolVersion: '1.18.33', session: 'ses_1' },
    },
  ],
  [
    "opencode's subagent",
    ['User-Agent: opencode/1.18.33', 'x-session-affinity: ses_2', 'x-parent-session-id: ses_1'],
    {
      facts: { '@tool': 'opencode', '@tool_version': '1', '@agent_kind': 'subagent' },
      agent: { toolVersion: '1.18.33', session: 'ses_2', parentAgent: 'ses_1' },
    },
  ],
  [
    'an SDK',
    ['User-Agent: OpenAI/Python 2.7.1', 'X-Stainless-Lang: python', 'x-stainless-retry-count: 1'],
    {
      facts: { '@tool': 'openai-python', '@tool_version': '2' },
      agent: { toolVersion: '2.7.1', retry: 1 },
    },
  ],
  [
    'another one, asynchronous',
    ['User-Agent: AsyncAnthropic/Python 0.90.0', 'x-stainless-retry-count: 0'],
    {
      facts: { '@tool': 'anthropic-python', '@tool_version': '0' },
      agent: { toolVersion: '0.90.0' },
    },
  ],
  [
    'a tool that nobody knows, with a session',
    ['User-Agent: curl/8.9.1', 'X-Acme-Session-Id: abc', 'conversation_id: other'],
    { facts: {}, agent: { session: 'abc' } },
  ],
  [
    'the plainest name of a session',
    ['conversation_id: c-1'],
    { facts: {}, agent: { session: 'c-1' } },
  ],
  ['no one', ['User-Agent: curl/8.9.1', 'Accept: */*'], { facts: {}, agent: undefined }],
]

for (const [name, headers, expected] of SENT) {
  test(`reads ${name}`, () => {
    const { isClaude: _, ...found } = read(headers)
    assert.deepEqual(found, expected)
  })
}

const HOSTILE: readonly (readonly [name: string, headers: readonly string[]])[] = [
  ['an id that is too long', [`x-session-id: ${'a'.repeat(256)}`]],
  ['a value of many bytes', [`x-session-id: ${'a'.repeat(1_000_000)}`]],
  ['an empty id', ['x-session-id: ']],
  ['an id that is no ASCII', ['x-session-id: s\xfcd']],
  ['a session of the parent', ['x-parent-session-id: ses_1']],
  ['a count that is none', ['x-stainless-retry-count: 1e9', 'x-stainless-retry-count: -1']],
  ['a tool that only looks like one', ['User-Agent: not-claude-cli/2.1 claude-cli/2.1']],
]

for (const [name, headers] of HOSTILE) {
  test(`takes nothing of ${name}`, () => {
    assert.deepEqual(read(headers), { facts: {}, agent: undefined, isClaude: false })
  })
}

test('takes nothing of metadata that is no JSON, too deep, too long, or of other types', () => {
  const deep = '['.repeat(8000)
  const own = { installation_id: 7, agent_name: { a: 1 }, workspaces: { a: null, b: { c: 1 } } }
  for (const text of [
    '{',
    deep,
    `{"a":"${'x'.repeat(17_000)}"}`,
    'null',
    '7',
    JSON.stringify(own),
  ]) {
    const { facts, agent } = read(['User-Agent: codex_exec/0.1', `x-codex-turn-metadata: ${text}`])
    assert.deepEqual(facts, { '@tool': 'codex', '@tool_version': '0' })
    assert.deepEqual(agent, { toolVersion: '0.1' })
  }
})

test('keeps no repository unless it is told to', () => {
  const headers = ['User-Agent: codex_exec/0.1', `x-codex-turn-metadata: ${CODEX_TURN}`]
  const { facts } = read(headers, { ...KEEP, keepsRepository: false })
  assert.equal(facts['@repository'], undefined)
})

test('of a remote, keeps host and path and never a credential', () => {
  const names = {
    'https://github.com/acme/shop.git': 'github.com/acme/shop',
    'https://ada:secret@GitHub.com/acme/shop': 'github.com/acme/shop',
    'git@github.com:acme/shop.git': 'github.com/acme/shop',
    'ssh://git@git.acme.dev:2222/acme/shop.git/': 'git.acme.dev/acme/shop',
    'https://git.acme.dev/shop?token=secret': 'git.acme.dev/shop',
    'https://a:b@c@git.acme.dev/shop': null,
    '/src/shop': null,
    '': null,
  }
  for (const [remote, name] of Object.entries(names)) assert.equal(toRepositoryName(remote), name)
})

test('a connection that says something else with each call is read anew', () => {
  const reader = new AgentReader(KEEP)
  const one = toLines(['x-session-id: one'])
  const other = toLines(['x-session-id: other'])
  const none = toLines([])
  const sessions = [one, other, one, none, one].map((lines) => reader.read(lines).agent?.session)
  assert.deepEqual(sessions, ['one', 'other', 'one', undefined, 'one'])
})

test('reads any headers without failing, and keeps only what can be shown', () => {
  const name = fc.constantFrom(
    'user-agent',
    'x-session-id',
    'x-a-session-id',
    'x-codex-turn-metadata',
  )
  const value = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (pairs) => {
      const { agent, facts } = read(pairs.map(([header, text]) => `${header}: ${text}`))
      for (const kept of [agent?.session, ...Object.values(facts)]) {
        assert.ok(kept === undefined || /^[\x20-\x7e]{1,255}$/.test(kept))
      }
    }),
  )
})
