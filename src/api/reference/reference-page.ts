// The OpenAPI document as a page. Must stay true: it adds nothing, and needs no script.

import { CATALOGUE } from '../contract.ts'
import { Html, html } from './html.ts'
import type {
  DocumentedAnswer,
  Media,
  OpenApiDocument,
  Parameter,
  Schema,
} from './openapi-document.ts'
import { toCurl } from './reference-curl.ts'
import type { CurlCall } from './reference-curl.ts'
import { describeType, renderAllowed, renderMembers, renderType } from './reference-schema.ts'
import { REFERENCE_STYLE } from './reference-style.ts'

interface Entry extends CurlCall {
  readonly id: string
}

export function renderReferencePage(document: OpenApiDocument): string {
  const entries = listEntries(document)
  const schemas = Object.entries(document.components.schemas)
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}: API reference</title>
        ${new Html(`<style>${REFERENCE_STYLE}</style>`)}
      </head>
      <body>
        <div class="page">
          <header>
            <h1>${document.info.title}: API reference</h1>
            <p class="soft">
              Version ${document.info.version}. For machines:
              <a href="/v1/openapi.json">openapi.json</a>
            </p>
          </header>
          <div class="columns">
            ${renderContents(document, entries)}
            <main>
              <h2 id="start">Start</h2>
              ${renderText(document.info.description)}
              <p>Every curl line below runs in a shell that knows these two:</p>
              <pre
                class="copy"
              ><code>export WEIR_URL='http://127.0.0.1:7071' TOKEN='svc_agt_…'</code></pre>
              <h2 id="catalogue">The catalogue</h2>
              <p>What <code>/v1/usage</code> answers. Any other combination is refused.</p>
              <section class="card scroll">${renderCatalogue()}</section>
              ${document.tags.map((tag) => renderTag(tag, entries))}
              <h2 id="schemas">Schemas</h2>
              ${schemas.map(
                ([name, schema]) =>
                  html`<section class="card" id="schema-${name}">
                    <h3><code>${name}</code></h3>
                    ${renderMembers(schema)}
                  </section>`,
              )}
            </main>
          </div>
        </div>
      </body>
    </html>`
  return String(page)
}

/** Without HEAD, which every GET has. */
function listEntries(document: OpenApiDocument): readonly Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({
        id: operation.operationId ?? `${method}${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
  )
}

function entriesOf(tag: string, entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ operation }) => operation.tags?.includes(tag) ?? false)
}

function renderContents(document: OpenApiDocument, entries: readonly Entry[]): Html {
  const groups = document.tags.map(
    ({ name }) =>
      html`<p>${name}</p>
        <ul>
          ${entriesOf(name, entries).map(
            ({ id, method, path }) => html`<li><a href="#${id}">${method} ${path}</a></li>`,
          )}
        </ul>`,
  )
  return html`<nav aria-label="Contents">
    <ul>
      <li><a href="#start">Start</a></li>
      <li><a href="#catalogue">The catalogue</a></li>
    </ul>
    ${groups}
    <ul>
      <li><a href="#schemas">Schemas</a></li>
    </ul>
  </nav>`
}

function renderCatalogue(): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">metric</th>
        <th scope="col">dimension</th>
        <th scope="col">windows</th>
      </tr>
    </thead>
    <tbody>
      ${CATALOGUE.map(
        ({ metric, dimension, windows }) =>
          html`<tr>
            <td><code>${metric}</code></td>
            <td>${dimension === null ? 'none (total)' : html`<code>${dimension}</code>`}</td>
            <td class="values">${windows.map((window) => html`<code>${window}</code> `)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function renderTag(tag: OpenApiDocument['tags'][number], entries: readonly Entry[]): Html {
  return html`<h2>${tag.name}</h2>
    <p class="soft">${tag.description}</p>
    ${entriesOf(tag.name, entries).map(renderEntry)}`
}

function renderEntry(entry: Entry): Html {
  const { id, method, path, operation } = entry
  const { summary = '', description = '', parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  return html`<section class="card" id="${id}">
    <h3><span class="method">${method}</span> <code>${path}</code> <small>${summary}</small></h3>
    ${renderText(description)}
    <pre class="copy"><code>${toCurl(entry)}</code></pre>
    ${
      parameters.length === 0
        ? ''
        : html`<h4>Parameters</h4>
            <dl>${parameters.map(renderParameter)}</dl>`
    }
    ${
      body === undefined
        ? ''
        : html`<h4>Body</h4>
            <p>${renderType(body)}</p>`
    }
    <h4>Answers</h4>
    <dl>${Object.entries(responses).map(([status, answer]) => renderAnswer(status, answer))}</dl>
  </section>`
}

/** Most are in the query, which needs no word. */
const PLACES: ReadonlyMap<string, Html> = new Map([
  ['path', html`<span>in the path</span>`],
  ['header', html`<span>a header</span>`],
])

function renderParameter({ name, in: place, required, description, schema }: Parameter): Html {
  const needed = required === true ? html`<span class="needed">required</span>` : ''
  const where = PLACES.get(place)
  return html`<dt>
      <code>${name}</code> <span>${describeType(schema)}</span> ${where ?? ''} ${needed}
    </dt>
    <dd>${description ?? ''}${renderAllowed(schema)}</dd>`
}

function renderAnswer(status: string, answer: DocumentedAnswer): Html {
  const kind = status.startsWith('2') ? 'ok' : 'fault'
  const content = Object.entries(answer.content ?? {})
  return html`<dt>
      <span class="status ${kind}">${status}</span>
      ${content.map(([type, { schema }]) => renderMediaType(type, schema))}
    </dt>
    <dd>
      ${renderText(answer.description)}
      ${Object.entries(answer.headers ?? {}).map(
        ([name, header]) =>
          html`<p class="soft"><code>${name}</code>: ${renderInline(header.description ?? '')}</p>`,
      )}
      ${content.flatMap(([, media]) => listExamples(media)).map(renderExample)}
    </dd>`
}

function renderMediaType(type: string, schema: Schema = {}): Html {
  if (schema.$ref === undefined) return html`<span>${type}</span>`
  return html`<span>${type}, ${renderType(schema)}</span>`
}

interface Example {
  readonly summary: string
  readonly value: unknown
}

function listExamples({ example, examples }: Media): readonly Example[] {
  const single = example === undefined ? [] : [{ summary: 'Example', value: example }]
  return [...single, ...Object.values(examples ?? {})]
}

function renderExample({ summary, value }: Example): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return html`<details>
    <summary>${summary}</summary>
    <pre><code>${text}</code></pre>
  </details>`
}

function renderText(text: string): readonly Html[] {
  return text
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${renderInline(paragraph)}</p>`)
}

/** Text in backticks is code. */
function renderInline(text: string): readonly Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}
