// A port of loopback that nobody listens on, for servers that cannot choose one themselves. Must
// stay true: it is none of those that systems give to connections and to port 0, or one of the many
// that other tests open meanwhile has it before the server does.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Linux gives out those from 32768 on, others from 49152 on. */
const LOWEST = 20_000
const HIGHEST = 32_000

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}
