import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { bindHandle, bindSocket } from './bind-socket.ts'

const ways = [
  ['by the class that Node has', bindSocket],
  ['by the handle that an older Node has', bindHandle],
] as const

for (const [name, bind] of ways) {
  test(`binds a free port that a server can listen on, ${name}`, async () => {
    const socket = bind({ host: '127.0.0.1', port: 0 })
    const server = createServer().listen({ fd: socket.fd() })
    await once(server, 'listening')
    assert.equal((server.address() as AddressInfo).port, socket.address().port)
    server.close()
    await once(server, 'close')
  })

  test(`says that a port is in use, ${name}`, async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    assert.throws(() => bind({ host: '127.0.0.1', port }), { code: 'EADDRINUSE' })
    server.close()
  })
}
