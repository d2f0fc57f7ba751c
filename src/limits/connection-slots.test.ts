import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'

import { ConnectionSlots, networkOf } from './connection-slots.ts'

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  writableLength = 0
  isDestroyed = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.isDestroyed = true
    queueMicrotask(() => this.emit('close'))
  }
}

function openSlots(slotsMax: number) {
  let cuts = 0
  const slots = new ConnectionSlots({ slotsMax, onCut: () => void cuts++ })
  const connect = (address: string) => {
    const socket = new FakeSocket(address)
    return { socket, slot: slots.take(socket as unknown as Socket) }
  }
  return { connect, cuts: () => cuts }
}

test('closes the oldest connection of the address that has most', async () => {
  const { connect, cuts } = openSlots(4)
  const honest = connect('192.0.2.1')
  const flood = [1, 2, 3, 4, 5].map(() => connect('192.0.2.66').socket)
  await Promise.resolve()
  assert.deepEqual(
    flood.map(({ isDestroyed }) => isDestroyed),
    [true, true, false, false, false],
  )
  assert.equal(honest.socket.isDestroyed, false)
  assert.equal(cuts(), 2)
})

test('never closes one with a call: when all have one there is no room', () => {
  const { connect } = openSlots(2)
  const [first, second] = [connect('192.0.2.1'), connect('192.0.2.1')]
  first.slot?.begin(true)
  second.slot?.begin(false)
  assert.equal(connect('192.0.2.2').slot, null)
  // Two requests sent at once: the first answer does not make it idle.
  second.slot?.begin(false)
  second.slot?.end()
  assert.equal(connect('192.0.2.2').slot, null)
  second.slot?.end()
  assert.ok(connect('192.0.2.2').slot)
  assert.deepEqual([first.socket.isDestroyed, second.socket.isDestroyed], [false, true])
})

test('of known connections closes the one that waited longest and has sent its answer', () => {
  const { connect } = openSlots(3)
  const known = [connect('a'), connect('b'), connect('c')]
  for (const { slot } of known) slot?.begin(true)
  const [unread, oldest, newest] = known.map(({ socket }) => socket)
  if (unread !== undefined) unread.writableLength = 1
  for (const { slot } of known) slot?.end()
  assert.ok(connect('d').slot)
  assert.deepEqual(
    [unread, oldest, newest].map((socket) => socket?.isDestroyed),
    [false, true, false],
  )
})

test('a connection that closes by itself makes room once', () => {
  const { connect, cuts } = openSlots(1)
  const first = connect('a')
  first.slot?.begin(true)
  first.socket.emit('close')
  first.slot?.end()
  connect('b').slot?.begin(true)
  assert.equal(connect('c').slot, null)
  assert.equal(cuts(), 0)
})

test('counts an IPv6 network as one, since a host there can choose its address', () => {
  const cases: [address: string, network: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ]
  for (const [address, network] of cases) assert.equal(networkOf(address), network)
})
