// As much of a browser as signing in needs: keeps cookies by their rules, and says where a request
// comes from.

export interface Asked {
  readonly method?: string
  readonly body?: unknown
  /** Over those a page of the console sends. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Browser {
  /** By name, as `document.cookie` would never show them. */
  readonly cookies: Map<string, string>
  /** Never follows a redirect. */
  ask(path: string, asked?: Asked): Promise<Response>
}

export function createBrowser(
  url: string,
  cookies: Iterable<readonly [string, string]> = [],
): Browser {
  const jar = new Map(cookies)
  return {
    cookies: jar,
    ask: async (path, { method = 'GET', body, headers = {} } = {}) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          'sec-fetch-site': 'same-origin',
          'user-agent': 'a browser',
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) keep(jar, line)
      return response
    },
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...rules] = line.split('; ')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at)
  if (rules.includes('Max-Age=0')) jar.delete(name)
  else jar.set(name, pair.slice(at + 1))
}
