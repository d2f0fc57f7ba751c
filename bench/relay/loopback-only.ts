// Loaded before a peer that would listen on every address of the machine: it then listens on
// loopback alone, as everything in a benchmark must. Nothing else of it is changed.

import { Server } from 'node:net'

// oxlint-disable-next-line typescript/unbound-method -- called with its own server below
const { listen } = Server.prototype

Server.prototype.listen = function (this: Server, ...words: unknown[]): Server {
  const [port, host, ...others] = words
  const isEverywhere = typeof port === 'number' && host === undefined
  const confined = isEverywhere ? [port, '127.0.0.1', ...others] : words
  return Reflect.apply(listen, this, confined) as Server
}
