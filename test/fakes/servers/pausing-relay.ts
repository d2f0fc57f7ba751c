// A relay in front of a server that can stop at a certain question, so that a test does something
// else at that very moment.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Cleanups } from './shared-server.ts'

export interface PausingRelay {
  /** The server's URL, with the relay's address in it. */
  readonly url: string
  /** The next question with this text waits, and what follows on its connection. */
  pauseAt(text: string): Pause
}

export interface Pause {
  /** Resolves when the question has come. */
  readonly reached: Promise<void>
  readonly resume: () => void
}

interface Watch {
  readonly text: string
  readonly reach: () => void
  readonly resumed: Promise<void>
}

/** For servers that are spoken to in plain text. */
export async function openPausingRelay(context: Cleanups, url: string): Promise<PausingRelay> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let watch: Watch | null = null

  async function forward(caller: Socket, server: Socket): Promise<void> {
    for await (const chunk of caller) {
      const found = watch !== null && (chunk as Buffer).includes(watch.text) ? watch : null
      if (found !== null) {
        watch = null
        found.reach()
        await found.resumed
      }
      server.write(chunk)
    }
    server.end()
  }

  const relay = createServer((caller) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [caller, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    caller.on('close', () => server.destroy())
    server.pipe(caller)
    forward(caller, server).catch(() => server.destroy())
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  context.after(async () => {
    relay.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = relay.address() as AddressInfo
  return {
    url: url.replace(target.host, `127.0.0.1:${port}`),
    pauseAt(text) {
      const reached = Promise.withResolvers<void>()
      const resumed = Promise.withResolvers<void>()
      watch = { text, reach: reached.resolve, resumed: resumed.promise }
      return { reached: reached.promise, resume: resumed.resolve }
    },
  }
}
