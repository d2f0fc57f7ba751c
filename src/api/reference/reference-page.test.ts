import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { CATALOGUE } from '../contract.ts'
import { html } from './html.ts'
import { API_ROUTES } from '../api-routes.ts'
import { createOpenApiDocument } from './openapi.ts'
import { renderReferencePage } from './reference-page.ts'

const document = createOpenApiDocument('1.2.3', API_ROUTES)
const page = renderReferencePage(document)

/** What a reader sees, blanks made one. */
function readText(markup: string): string {
  return markup
    .replaceAll(/<style>[^]*?<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

const VOID_ELEMENTS = ['!doctype', 'meta']

/** Throws at an element that is not closed in its order, and at a stray `<` or `>`. */
function checkWellFormed(markup: string): void {
  const open: string[] = []
  const bare = markup.replaceAll(/<style>[^<]*<\/style>/g, '')
  const rest = bare.replaceAll(
    /<(\/?)([a-z0-9!]+)((?: +[a-z-]+(?:="[^"<>]*")?|\s)*)\s*\/?>/g,
    (_, slash: string, name: string) => {
      if (slash === '/') assert.equal(open.pop(), name)
      else if (!VOID_ELEMENTS.includes(name)) open.push(name)
      return ''
    },
  )
  assert.deepEqual(open, [])
  assert.doesNotMatch(rest, /[<>]/)
}

describe('the page', () => {
  const text = readText(page)

  test('shows every path, parameter, answer and schema', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (method === 'head') continue
        assert.ok(text.includes(`${method.toUpperCase()} ${path}`), path)
        for (const { name, description = '', schema } of operation.parameters ?? []) {
          assert.ok(text.includes(description), `${path} ${name}`)
          for (const value of schema.enum ?? []) assert.ok(text.includes(String(value)), name)
        }
        for (const [status, answer] of Object.entries(operation.responses)) {
          const described = answer.description.replaceAll('`', '')
          assert.ok(withoutBlanks(text).includes(withoutBlanks(described)), `${path} ${status}`)
        }
      }
    }
    for (const name of Object.keys(document.components.schemas)) {
      assert.ok(page.includes(`id="schema-${name}"`), name)
    }
  })

  test('shows the catalogue, the limits and what applies when a parameter is left out', () => {
    for (const { metric, dimension, windows } of CATALOGUE) {
      assert.ok(text.includes(` ${metric} ${dimension ?? 'none (total)'} ${windows.join(' ')} `))
    }
    assert.match(text, /months integer, 1 to 24 .{0,120}Left out: 12/)
    assert.match(text, /metric string required/)
  })

  test('shows a curl line that works for each path, and the examples', () => {
    assert.ok(
      text.includes(
        'curl -H "Authorization: Bearer $TOKEN" "$WEIR_URL/v1/usage?metric=cost_usd&window=month_to_date"',
      ),
    )
    assert.match(text, /"\$WEIR_URL\/v1\/requests\/[0-9a-f-]{36}"/)
    assert.ok(text.includes('curl -X POST'))
    assert.match(text, /curl -H \S+ Bearer \$TOKEN" -X DELETE "\$WEIR_URL\/v1\/budgets\/bud_\w+"/)
    assert.doesNotMatch(text, /curl [^?]*\?[^ ]*…/, 'a parameter has no example')
    assert.match(text, /"code": "rate_limited"/)
    assert.match(text, /"bucket": "2026-03-01"/)
  })

  test('leads only to places that are there, and fetches nothing', () => {
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target)
    assert.ok(targets.length > 10)
    for (const target of targets) {
      const isThere = target.startsWith('#')
        ? page.includes(`id="${target.slice(1)}"`)
        : target === '/v1/openapi.json'
      assert.ok(isThere, target)
    }
    assert.doesNotMatch(page, /<script|<link|<img|\ssrc=|url\(|@import/i)
  })

  test('is well-formed, and each id stands once', () => {
    checkWellFormed(page)
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const wrong of ['<p>a<b', '<p>', '</p>', '<p><b></p></b>', 'a > b', '<p class="<">']) {
      assert.throws(() => checkWellFormed(wrong), wrong)
    }
  })

  test('shows as text whatever a document contains', () => {
    const hostile = `</code><script>alert("1")</script>'&`
    const changed = JSON.stringify(document).replaceAll(
      'What is measured.',
      JSON.stringify(hostile).slice(1, -1),
    )
    const hostilePage = renderReferencePage(JSON.parse(changed) as typeof document)
    checkWellFormed(hostilePage)
    assert.doesNotMatch(hostilePage, /<script/)
    assert.ok(readText(hostilePage).includes(hostile))
  })
})

test('a template escapes what is put in and leaves what it made', () => {
  const inner = html`<b title="${'"'}">${'<&>'}</b>`
  assert.equal(
    String(html`<p>${inner}${[inner]}${1}</p>`),
    `<p>${String(inner)}${String(inner)}1</p>`,
  )
  assert.equal(String(inner), '<b title="&quot;">&lt;&amp;&gt;</b>')
})

describe('GET /v1/reference', () => {
  let api: OpenApi
  before(async () => {
    api = await openApi(0)
  })
  after(() => api.close())

  test('answers without a token, and lets the page run and fetch nothing', async () => {
    const response = await api.get('/v1/reference')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; style-src 'sha256-/)
    assert.match(policy, /base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/)
    const text = await response.text()
    assert.equal(text, page)
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    assert.ok(policy.includes(`'sha256-${hash}'`), 'the style would not be applied')
    assert.doesNotMatch(text, / style="/)
  })

  test('a lost caller is led there', async () => {
    const { error } = (await (await api.get('/v1/nothing')).json()) as { error: string }
    assert.match(error, /\/v1\/reference/)
  })

  test('the document is what the page was made of', async () => {
    const response = await api.get('/v1/openapi.json')
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(document)))
  })
})

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '')
}
