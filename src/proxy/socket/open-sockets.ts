// All open sockets of a worker. One timer looks after their keys: what is done with a key holds on
// its sockets within a second, of which finding out may take a quarter.

export interface Checked {
  check(): void
}

export const CHECK_MS = 250

export class OpenSockets {
  readonly #sockets = new Set<Checked>()
  #timer: NodeJS.Timeout | null = null

  add(socket: Checked): void {
    this.#sockets.add(socket)
    this.#timer ??= setInterval(() => {
      for (const each of this.#sockets) each.check()
    }, CHECK_MS).unref()
  }

  delete(socket: Checked): void {
    this.#sockets.delete(socket)
    if (this.#sockets.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
