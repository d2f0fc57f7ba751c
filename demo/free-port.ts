// Finds a free port on this machine, from the wanted one upwards.

import { once } from 'node:events'
import { createServer } from 'node:net'

import { WeirError } from '../src/core/weir-error.ts'

const PORTS_TRIED_MAX = 50

/** 0 stays 0: any will do. */
export async function findFreePort(wanted: number): Promise<number> {
  if (wanted === 0) return 0
  for (let port = wanted; port < wanted + PORTS_TRIED_MAX; port += 1) {
    if (await isFree(port)) return port
  }
  throw new WeirError('port_taken', `No port from ${wanted} upwards is free.`, {
    hint: 'Choose another with --port.',
  })
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const taken = once(server, 'error').then(() => false)
  const listening = once(server, 'listening').then(() => true)
  server.listen(port, '127.0.0.1')
  const free = await Promise.race([listening, taken])
  if (!free) return false
  const closed = once(server, 'close')
  server.close()
  await closed
  return true
}
