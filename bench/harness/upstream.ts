// The simulated upstream as the benchmark sees it: a port, and which answer is in force. One at a
// time: workloads run one after the other, and an upstream that looked into requests would cost
// more than some proxies do.

import type { OpenItems } from './benchmark.ts'
import { openChild } from '../../test/fakes/servers/child.ts'
import type { ToUpstream } from './run-upstream.ts'

export interface Upstream {
  readonly port: number
  tell(message: ToUpstream): Promise<unknown>
}

export async function openUpstream(open: OpenItems): Promise<Upstream> {
  const entry = new URL('./run-upstream.ts', import.meta.url)
  const child = open.add(openChild<ToUpstream, { readonly port: number }>(entry))
  const { port } = await child.ask({ answer: 'chat' })
  return { port, tell: child.ask }
}
