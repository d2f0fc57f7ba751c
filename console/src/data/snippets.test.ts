import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createSnippets } from './snippets.ts'
import type { SnippetId, SnippetSubject } from './snippets.ts'

const KEY = 'svc_k_abc.secret-1'
const LOCAL: SnippetSubject = { proxyUrl: 'http://127.0.0.1:7070', key: KEY }

function readSnippet(id: SnippetId, subject: SnippetSubject): string {
  const text = createSnippets(subject).find((snippet) => snippet.id === id)?.text
  assert.ok(text !== undefined, id)
  return text
}

/** What curl would be given: a function in its place shows the arguments. */
function readCurl(subject: SnippetSubject): string[] {
  const variables = 'OPENAI_API_KEY=own; AI_GATEWAY_API_KEY=own-gateway; MY_LLM_API_KEY=own-llm'
  const stand = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }`
  const script = `${variables}\n${stand}\n${readSnippet('curl', subject)}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('the curl snippet is what a shell and a provider understand', () => {
  const [url, ...rest] = readCurl(LOCAL)
  assert.equal(url, 'http://127.0.0.1:7070/v1/openai/v1/chat/completions')
  assert.deepEqual(rest.slice(0, -1), [
    '-H',
    `X-SVC-API-Key: ${KEY}`,
    '-H',
    'Authorization: Bearer own',
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  assert.deepEqual(JSON.parse(rest.at(-1) ?? ''), {
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hello' }],
  })
})

test('the curl snippet goes where the provider takes calls in the shape of OpenAI', () => {
  const cases = [
    ['gateway', '/v1/gateway/v1/chat/completions'],
    ['openrouter', '/v1/openrouter/api/v1/chat/completions'],
    ['groq', '/v1/groq/openai/v1/chat/completions'],
    ['google', '/v1/google/v1beta/openai/chat/completions'],
    ['my-llm', '/v1/my-llm/v1/chat/completions'],
    ['bedrock', '/v1/openai/v1/chat/completions'],
  ] as const
  for (const [provider, path] of cases) {
    const [url] = readCurl({ ...LOCAL, provider })
    assert.equal(url, `http://127.0.0.1:7070${path}`, provider)
  }
  assert.ok(readCurl({ ...LOCAL, provider: 'my-llm' }).includes('Authorization: Bearer own-llm'))
})

test('a name with quotes stays a name, in a shell and in code', () => {
  const model = `it's "$(id)" \\`
  const body = readCurl({ ...LOCAL, provider: 'openai', model }).at(-1) ?? ''
  assert.equal((JSON.parse(body) as { model: string }).model, model)
  const code = readSnippet('openai-js', { ...LOCAL, provider: 'openai', model })
  assert.ok(code.includes(String.raw`model: 'it\'s "$(id)" \\',`))
})

test('Claude Code gets the address and the header', () => {
  const run = (subject: SnippetSubject): string => {
    const names = '$ANTHROPIC_BASE_URL|$ANTHROPIC_CUSTOM_HEADERS|$ANTHROPIC_AUTH_TOKEN'
    const stand = `AI_GATEWAY_API_KEY=own; claude() { echo "${names}"; }`
    const script = `${stand}\n${readSnippet('claude-code', subject)}`
    return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: '/bin:/usr/bin' } })
  }
  const header = `X-SVC-API-Key: ${KEY}`
  assert.equal(run(LOCAL), `http://127.0.0.1:7070/v1/anthropic|${header}|\n`)
  const gateway = run({ ...LOCAL, provider: 'gateway' })
  assert.equal(gateway, `http://127.0.0.1:7070/v1/gateway|${header}|own\n`)
})

test('the Python snippet says the same as the JavaScript one', () => {
  const own = readSnippet('openai-python', LOCAL)
  assert.ok(own.includes(`base_url='http://127.0.0.1:7070/v1/openai/v1',`))
  assert.ok(own.includes(`default_headers={'X-SVC-API-Key': '${KEY}'},`))
  assert.ok(!own.includes('api_key'))
  const gateway = readSnippet('openai-python', { ...LOCAL, provider: 'gateway' })
  assert.ok(gateway.includes(`api_key=os.environ['AI_GATEWAY_API_KEY'],`))
})

interface Seen {
  readonly key: string | string[] | undefined
  readonly credential: string | string[] | undefined
}

/** By the end of a path: an answer in the shape that its client reads. */
const ANSWERS: readonly (readonly [ending: string, answer: unknown])[] = [
  ['/chat/completions', { choices: [{ message: { role: 'assistant', content: 'Ister' } }] }],
  ['/messages', { type: 'message', content: [{ type: 'text', text: 'Ister' }] }],
  [':generateContent', { candidates: [{ content: { parts: [{ text: 'Ister' }] } }] }],
  [
    '/language-model',
    {
      content: [{ type: 'text', text: 'Ister' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    },
  ],
]

test('the JavaScript snippets run as they are pasted', async (t) => {
  const seen = new Map<string, Seen>()
  const server = createServer((request: IncomingMessage, response) => {
    const url = request.url ?? ''
    const { 'x-svc-api-key': key, authorization, 'x-goog-api-key': google } = request.headers
    seen.set(url, { key, credential: authorization ?? google })
    const answer = ANSWERS.find(([ending]) => url.endsWith(ending))?.[1]
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const proxyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    OPENAI_API_KEY: 'own-openai',
    ANTHROPIC_API_KEY: 'own-anthropic',
    GEMINI_API_KEY: 'own-google',
    AI_GATEWAY_API_KEY: 'own-gateway',
    PATH: '',
  }
  const cwd = import.meta.dirname
  const snippets = createSnippets({ proxyUrl, key: KEY }).filter(
    ({ language }) => language === 'js',
  )
  await Promise.all(
    snippets.map(async ({ id, text }) => {
      const options = { cwd, env, timeout: 60_000 }
      const run = promisify(execFile)
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text], options)
      assert.equal(stdout, 'Ister\n', id)
    }),
  )
  const model = 'gemini-2.5-flash'
  const expected = [
    ['/v1/openai/v1/chat/completions', 'Bearer own-openai'],
    ['/v1/anthropic/v1/messages', 'Bearer own-anthropic'],
    [`/v1/google/v1beta/models/${model}:generateContent`, 'own-google'],
    ['/v1/gateway/v4/ai/language-model', 'Bearer own-gateway'],
  ] as const
  assert.equal(seen.size, expected.length)
  for (const [url, credential] of expected) {
    assert.deepEqual(seen.get(url), { key: KEY, credential }, url)
  }
})
