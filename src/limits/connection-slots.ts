// A bounded number of connections, and which one is closed when one more comes: of the network that
// has most without a call so far, the oldest. Must stay true: one with a call is never closed, and
// one that has had a call only when there is no other.

import type { Socket } from 'node:net'

/** As much of an IPv6 address as one network usually has; its hosts can choose the rest. */
const NETWORK_GROUPS = 4
const ADDRESS_GROUPS = 8

export interface ConnectionSlotsOptions {
  readonly slotsMax: number
  /** Called for each connection that is closed for another. */
  readonly onCut: () => void
}

export class ConnectionSlots {
  readonly #options: ConnectionSlotsOptions
  #taken = 0
  /** Connections without a call so far, by network; the oldest first. */
  readonly #strangers = new Map<string, Set<ConnectionSlot>>()
  /** Connections between two calls; the one that has waited longest first. */
  readonly #idle = new Set<ConnectionSlot>()

  constructor(options: ConnectionSlotsOptions) {
    this.#options = options
  }

  /** Null when all connections have a call. */
  take(socket: Socket): ConnectionSlot | null {
    if (this.#taken >= this.#options.slotsMax && !this.#makeRoom()) return null
    this.#taken++
    const slot = new ConnectionSlot(socket, this)
    this.add(slot)
    socket.once('close', () => this.#free(slot))
    return slot
  }

  add(slot: ConnectionSlot): void {
    if (slot.isKnown) {
      this.#idle.add(slot)
      return
    }
    const { network } = slot
    const others = this.#strangers.get(network)
    if (others === undefined) this.#strangers.set(network, new Set([slot]))
    else others.add(slot)
  }

  remove(slot: ConnectionSlot): void {
    this.#idle.delete(slot)
    const others = this.#strangers.get(slot.network)
    if (others?.delete(slot) === true && others.size === 0) this.#strangers.delete(slot.network)
  }

  #free(slot: ConnectionSlot): void {
    if (slot.isFree) return
    slot.isFree = true
    this.#taken--
    this.remove(slot)
  }

  #makeRoom(): boolean {
    const slot = this.#findStranger() ?? this.#findIdle()
    if (slot === undefined) return false
    this.#free(slot)
    slot.socket.destroy()
    this.#options.onCut()
    return true
  }

  #findStranger(): ConnectionSlot | undefined {
    let most = new Set<ConnectionSlot>()
    for (const slots of this.#strangers.values()) if (slots.size > most.size) most = slots
    return most.values().next().value
  }

  /** One whose caller has not read its last answer yet would lose the rest of it. */
  #findIdle(): ConnectionSlot | undefined {
    return this.#idle.values().find(({ socket }) => socket.writableLength === 0)
  }
}

export class ConnectionSlot {
  /** With TLS the one inside, once there is one: it knows what waits to be sent. */
  socket: Socket
  readonly network: string
  /** Its caller has shown who it is: others are closed first. */
  isKnown = false
  /** Its connection is closed. */
  isFree = false
  readonly #slots: ConnectionSlots
  #calls = 0

  constructor(socket: Socket, slots: ConnectionSlots) {
    this.socket = socket
    this.network = networkOf(socket.remoteAddress ?? '')
    this.#slots = slots
  }

  begin(isKnown: boolean): void {
    this.isKnown ||= isKnown
    if (this.#calls++ === 0) this.#slots.remove(this)
  }

  end(): void {
    if (--this.#calls === 0 && !this.isFree) this.#slots.add(this)
  }
}

/** An IPv4 address, or the first half of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [before = '', after] = address.split('::')
  const groups = before === '' ? [] : before.split(':')
  if (after === undefined) return groups.slice(0, NETWORK_GROUPS).join(':')
  const last = after === '' ? [] : after.split(':')
  const zeros = Array.from({ length: ADDRESS_GROUPS - groups.length - last.length }, () => '0')
  return [...groups, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(':')
}
