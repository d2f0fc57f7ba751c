// A caller, the proxy and an upstream, all on raw sockets, with the bytes in hand on both sides.

import type { TestContext } from 'node:test'

import { openTestProxy } from './open-proxy.ts'
import type { TestProxy, TestProxyOptions } from './open-proxy.ts'
import { openScriptedUpstream } from './upstreams/scripted-upstream.ts'
import type { Script, ScriptedUpstream } from './upstreams/scripted-upstream.ts'

export interface RelayScene {
  readonly upstream: ScriptedUpstream
  readonly proxy: TestProxy
  /** The headers that every request here needs. */
  readonly headers: string
}

/** The upstream is the provider `some`, below the base path `/base`. */
export async function openRelayScene(
  t: TestContext,
  script: Script,
  options: Partial<TestProxyOptions> = {},
): Promise<RelayScene> {
  const upstream = await openScriptedUpstream(script)
  const proxy = await openTestProxy({ upstreams: { some: `${upstream.url}/base` }, ...options })
  t.after(async () => {
    await proxy.close()
    await upstream.close()
  })
  return { upstream, proxy, headers: `Host: proxy\r\nX-SVC-API-Key: ${proxy.credential}\r\n` }
}

/** A whole response, as a script may answer it. */
export const OK = 'HTTP/1.1 200 Fine\r\nX-One: 1\r\ncontent-length: 2\r\nX-one: 2\r\n\r\nok'

/** The line that Weir adds to every response. */
export const ID_LINE =
  /X-SVC-Request-Id: [0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\r\n/
