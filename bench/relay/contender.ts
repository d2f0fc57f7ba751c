// One of those compared: an address that takes the calls, and the processes that are charged for
// them.

import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Contender {
  readonly name: string
  readonly port: number
  /** Where a chat completion is asked for. */
  readonly path: string
  /** What it needs beside the headers of an SDK: `name: value`. */
  readonly headers: readonly string[]
  /** The processes that work for a call while its caller waits. */
  readonly pids: readonly number[]
  /** Gets fewer calls: at full measure it would take longer than all the others together. */
  readonly isSlow: boolean
  /** False when it parses and writes answers again; their bytes are then its own. */
  readonly isPassThrough: boolean
  /** Calls answered with 200 so far; counted by the sender. */
  answered: number
  /**
   * Waits until nothing is left to do for past calls, and fails when one of them was not dealt
   * with.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

/** A missing peer is reported, with what installs it; never left out in silence. */
export interface NotRun {
  readonly name: string
  readonly reason: string
  readonly command: string
}

export type OpenedPeer =
  | { readonly kind: 'ready'; readonly contender: Contender }
  | { readonly kind: 'not run'; readonly notRun: NotRun }

export const CHAT_PATH = '/v1/gateway/v1/chat/completions'

/** What most contenders have in common. */
export function createContender(
  own: Pick<Contender, 'name' | 'port' | 'pids'> & Partial<Contender>,
): Contender {
  return {
    path: CHAT_PATH,
    headers: [],
    isSlow: false,
    isPassThrough: true,
    answered: 0,
    settle: async () => {},
    close: async () => {},
    ...own,
  }
}

/** For programs that cannot say which port they took. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const LISTEN_MS_MAX = 20_000
const LISTEN_LOOK_MS = 25

/** Resolves when a process listens; `hasEnded` says that none will. */
export async function untilListening(port: number, hasEnded: () => boolean): Promise<void> {
  const until = performance.now() + LISTEN_MS_MAX
  while (!(await canConnect(port))) {
    if (hasEnded()) throw new Error('It ended before it listened.')
    if (performance.now() > until) throw new Error(`No process listens on port ${port}.`)
    await pause(LISTEN_LOOK_MS)
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
