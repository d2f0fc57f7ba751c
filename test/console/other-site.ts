// A page of another origin that tries to use the session of the person who opens it. It is tried
// from another port of the same host, which is the same site to a cookie, and from another host.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { CDPSession, Page } from 'playwright-core'

export interface Attempt {
  readonly from: string
  readonly how: 'form' | 'fetch'
  readonly path: string
  readonly status: number
}

const HOSTS = ['127.0.0.1', 'localhost'] as const

const CHANGING_PATHS = [
  '/v1/keys',
  '/v1/keys/KEY/rotate',
  '/v1/keys/KEY/revoke',
  '/v1/tokens',
  '/v1/budgets',
  '/v1/targets',
  '/v1/prices/rules',
  '/v1/prices/reprice',
  '/v1/users',
  '/v1/session/password',
] as const

/** JSON, as far as a form can write it. */
const FIELD = `{"name":"stolen","email":"m@example.com","role":"admin","scopes":["admin"],"rest":"`

/**
 * Every changing path, by a form and by a script that sends cookies along; as the server answered.
 */
export async function attackFrom(page: Page, url: string, keyId: string): Promise<Attempt[]> {
  const site = await openOtherSite('<!doctype html><title>Another site</title>')
  const attempts: Attempt[] = []
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  const nextAnswer = watchAnswers(client)
  try {
    for (const host of HOSTS) {
      const from = `http://${host}:${site.port}`
      await page.goto(from)
      for (const how of ['fetch', 'form'] as const) {
        for (const template of CHANGING_PATHS) {
          const path = template.replace('KEY', keyId)
          // A form has left it.
          if (how === 'form') await page.goto(from)
          const answered = nextAnswer(url + path)
          const script = how === 'form' ? toForm(url + path) : toFetch(url + path)
          await page.evaluate(script)
          attempts.push({ from, how, path, status: await answered })
          // A form leads to the answer; the next attempt must not cut that short.
          if (how === 'form') await page.waitForURL(url + path)
        }
      }
    }
  } finally {
    await site.close()
  }
  return attempts
}

/**
 * Resolves with the status of the next POST there, even of an answer that the browser hides from
 * the page.
 */
type NextAnswer = (url: string) => Promise<number>

function watchAnswers(client: CDPSession): NextAnswer {
  const posts = new Map<string, string>()
  const statuses = new Map<string, number>()
  let awaited: { readonly url: string; readonly resolve: (status: number) => void } | null = null
  // Requests and responses are reported in no certain order.
  const settle = (id: string): void => {
    const status = statuses.get(id)
    if (status !== undefined && posts.get(id) === awaited?.url) awaited?.resolve(status)
  }
  client.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.method === 'POST') posts.set(requestId, request.url)
    settle(requestId)
  })
  client.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    statuses.set(requestId, statusCode)
    settle(requestId)
  })
  return (url) => {
    const { promise, resolve } = Promise.withResolvers<number>()
    awaited = { url, resolve }
    return promise
  }
}

function toFetch(url: string): string {
  const options = { method: 'POST', mode: 'no-cors', credentials: 'include', body: `${FIELD}"}` }
  return `void fetch(${JSON.stringify(url)}, ${JSON.stringify(options)}).catch(() => {})`
}

function toForm(url: string): string {
  return `{
    const form = document.createElement('form')
    form.method = 'POST'
    form.action = ${JSON.stringify(url)}
    form.enctype = 'text/plain'
    const input = document.createElement('input')
    input.name = ${JSON.stringify(FIELD)}
    input.value = '"}'
    form.append(input)
    document.body.append(form)
    setTimeout(() => form.submit())
  }`
}

const FRAME_REFUSED = /frame-ancestors|X-Frame-Options/

/** What the browser says about a frame with the console in it, for each host. */
export async function frameFrom(page: Page, url: string): Promise<string[]> {
  const site = await openOtherSite(`<!doctype html><title>Bait</title><iframe src="${url}/keys">`)
  const messages: string[] = []
  try {
    for (const host of HOSTS) {
      const refused = page.waitForEvent('console', (message) => FRAME_REFUSED.test(message.text()))
      await page.goto(`http://${host}:${site.port}`)
      messages.push((await refused).text())
    }
  } finally {
    await site.close()
  }
  return messages
}

interface OtherSite {
  readonly port: number
  close(): Promise<void>
}

async function openOtherSite(html: string): Promise<OtherSite> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html)
  })
  server.listen(0)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
