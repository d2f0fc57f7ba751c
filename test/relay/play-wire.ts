// Plays one case on real sockets, against the upstream itself or through Weir, and gives back the
// bytes that arrived on either side. What is sent can be cut into pieces, each in a turn of its
// own.

import { openRawClient } from '../fakes/callers/raw-client.ts'
import type { RawClient } from '../fakes/callers/raw-client.ts'
import type { ScriptedUpstream, UpstreamConnection } from '../fakes/upstreams/scripted-upstream.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { CallerStep, UpstreamStep } from './wire-case.ts'

/** Lengths of the pieces, over and over; none: in one piece. */
export type Cuts = readonly number[]

export interface Play {
  readonly port: number
  readonly caller: readonly CallerStep[]
  readonly upstream: readonly UpstreamStep[]
  readonly requestCuts: Cuts
  readonly responseCuts: Cuts
  /** How much must have arrived before the play is over. */
  readonly responseBytes: number
  readonly requestBytes: number
  /** The other side is waited for, to close the caller's connection itself. */
  readonly isClosed: boolean
}

export interface Seen {
  readonly request: string
  readonly response: string
  /** Connections that the upstream saw. */
  readonly connections: number
}

/** Only what hangs takes so long. */
const WAIT_MS = 30_000

/**
 * Nothing may be left over: both sides are closed in the end, and bytes that came until then count.
 */
export async function playWire(play: Play, upstream: ScriptedUpstream): Promise<Seen> {
  const firstConnection = upstream.connections.length
  const connections = (): UpstreamConnection[] => upstream.connections.slice(firstConnection)
  const client = await openRawClient(play.port, true)
  await Promise.all([playCaller(client, play), playUpstream(connections, play)])
  const isAnswered = (): boolean => client.received.length >= play.responseBytes
  await waitUntil(() => isAnswered() || client.socket.readableEnded, client)
  if (play.isClosed) await waitUntil(() => client.socket.readableEnded, client)
  else if (client.socket.readableEnded) throw new Error(`closed after ${client.received}`)
  const request = (): string => connections().reduce((text, { received }) => text + received, '')
  await waitUntil(() => request().length >= play.requestBytes, client)
  client.socket.end()
  const hasReceivedEnd = (): boolean => connections().every(({ socket }) => socket.readableEnded)
  await waitUntil(() => client.isClosed || hasReceivedEnd(), client)
  for (const { socket } of connections()) socket.end()
  const isOver = (): boolean => connections().every(({ isClosed }) => isClosed)
  await waitUntil(() => client.isClosed && isOver(), client)
  return { request: request(), response: client.received, connections: connections().length }
}

async function playCaller(client: RawClient, { caller, requestCuts }: Play): Promise<void> {
  let seen = 0
  for (const step of caller) {
    switch (step.kind) {
      case 'request':
      case 'bytes':
        await writeCut(client.socket, step.text, requestCuts)
        break
      case 'await': {
        await waitUntil(() => client.received.includes(step.text, seen), client)
        seen = client.received.indexOf(step.text, seen) + step.text.length
        break
      }
      case 'await-end':
        await waitUntil(() => client.socket.readableEnded, client)
        break
      case 'end':
        client.socket.end()
        break
    }
  }
}

async function playUpstream(connections: () => UpstreamConnection[], play: Play): Promise<void> {
  const seen = new Map<UpstreamConnection, number>()
  const find = (after: string | null): UpstreamConnection | undefined =>
    connections().find((connection) => {
      if (after === null) return connection.socket.readableEnded
      const { received } = connection
      const from = seen.get(connection) ?? 0
      // Searching a large body anew with each of its pieces would take longer than all the rest.
      if (received.length - from < after.length || !received.includes(after, from)) return false
      seen.set(connection, received.indexOf(after, from) + after.length)
      return true
    })
  for (const { after, write, isEnd } of play.upstream) {
    const { socket } = await waitFor(() => find(after), connections)
    await writeCut(socket, write, play.responseCuts)
    if (isEnd === true) socket.end()
  }
}

type Writable = UpstreamConnection['socket']

export async function writeCut(socket: Writable, text: string, cuts: Cuts): Promise<void> {
  if (cuts.length === 0) {
    socket.write(text, 'latin1')
    return
  }
  for (let at = 0, turn = 0; at < text.length && socket.writable; turn++) {
    const length = cuts[turn % cuts.length] as number
    socket.write(text.slice(at, at + length), 'latin1')
    at += length
    // A turn of the event loop, so that the other side reads this piece before there is another.
    await nextTurn()
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

type Witness = RawClient | (() => UpstreamConnection[])

async function waitFor<Found>(find: () => Found | undefined, witness: Witness): Promise<Found> {
  const until = systemClock.monotonic() + WAIT_MS
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    if (systemClock.monotonic() > until) throw new Error(`waited in vain, with ${show(witness)}`)
    await nextTurn()
  }
}

async function waitUntil(test: () => boolean, witness: Witness): Promise<void> {
  await waitFor(() => (test() ? true : undefined), witness)
}

function show(witness: Witness): string {
  const texts =
    typeof witness === 'function' ? witness().map(({ received }) => received) : [witness.received]
  return JSON.stringify(texts.map((text) => text.slice(0, 2000)))
}
