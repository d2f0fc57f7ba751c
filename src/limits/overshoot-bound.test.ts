import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../test/fuzz/generate-requests.ts'
import { overshootBound } from './overshoot-bound.ts'
import type { OutstandingCalls } from './overshoot-bound.ts'

const LIMIT = 1000n
const NOTHING = { leased: 0n, reserved: 0n, ended: 0n, fullyLeasedLimit: null }
const CALLS: OutstandingCalls = {
  limit: LIMIT,
  spent: LIMIT,
  largest: 30n,
  usual: 10n,
  running: 0,
  leases: NOTHING,
}

const out = (leased: bigint, reserved: bigint, ended: bigint) => ({
  leases: { ...NOTHING, leased, reserved, ended },
})

/** Nothing was free once, and since then no more was leased again. */
const afterwards = { leases: { ...NOTHING, fullyLeasedLimit: LIMIT } }

const CASES: readonly [string, Partial<OutstandingCalls>, bigint][] = [
  ['one machine: its running calls', { leases: null, running: 3, spent: 0n }, 90n],
  ['all is spent and nothing is out', {}, 0n],
  ['what was spent beyond the limit already', { spent: 1040n }, 40n],
  ['something is free and nothing is out', { spent: 990n }, 0n],
  ['something is free: the calls that are out', { spent: 0n, ...out(60n, 30n, 10n) }, 60n],
  ['their leases, once nothing is free', { spent: 940n, ...out(60n, 30n, 10n) }, 156n],
  ['only a little was reserved for running calls', { running: 5, ...out(90n, 20n, 10n) }, 402n],
  ['costs on record that were higher than expected', { spent: 1005n, ...out(20n, 20n, 0n) }, 65n],
  ['leases were given back: they may be taken again', { spent: 900n, ...afterwards }, 248n],
  ['less than a call is left: one call may pass', { spent: 996n, ...afterwards }, 38n],
  ['the limit was raised since: something is free', { limit: 2000n, ...afterwards }, 0n],
  ['the limit was lowered since', { limit: 900n, spent: 860n, ...afterwards }, 119n],
  ['no call is known yet: as expected', { usual: 0n, largest: 0n, ...out(16n, 0n, 0n) }, 17n],
]

for (const [title, changes, bound] of CASES) {
  test(title, () => assert.equal(overshootBound({ ...CALLS, ...changes }), bound))
}

const HISTORIES = 500
const NODES = 3

interface Row {
  readonly leased: bigint
  readonly running: number
  readonly ended: number
}

/**
 * Leases, calls and the record in the fewest words: calls reserve the usual cost, and those of a
 * batch cost little, the usual or the most. What is stored leaves a node's row at its next round.
 */
class History {
  readonly #random: () => number
  readonly #nodes = Array.from({ length: NODES }, () => ({ leased: 0n, running: 0, ended: 0 }))
  readonly #rows: Row[] = this.#nodes.map((node) => ({ ...node }))
  #fullyLeasedLimit: bigint | null = null
  readonly shown: bigint[] = []
  spent = 0n

  constructor(random: () => number) {
    this.#random = random
  }

  run(steps: number): void {
    for (let step = 0; step < steps; step++) {
      const at = Math.floor(this.#random() * NODES)
      const act = this.#random()
      if (act < 0.4) this.#start(at)
      else if (act < 0.7) this.#end(at)
      else if (act < 0.9) this.#ask(at)
      else this.#store(at)
      this.#show()
    }
    for (let at = 0; at < NODES; at++) {
      while (this.#nodes[at]!.running > 0) this.#end(at)
      this.#store(at)
    }
  }

  #start(at: number): void {
    const node = this.#nodes[at]!
    const isFree = node.leased - CALLS.usual * BigInt(node.running + node.ended) >= CALLS.usual
    if (isFree && this.spent < LIMIT) node.running++
  }

  #end(at: number): void {
    const node = this.#nodes[at]!
    if (node.running === 0) return
    node.running--
    node.ended++
  }

  #store(at: number): void {
    const node = this.#nodes[at]!
    const cost = [3n, CALLS.usual, CALLS.largest][Math.floor(this.#random() * 3)]!
    node.leased -= CALLS.usual * BigInt(node.ended)
    this.spent += cost * BigInt(node.ended)
    node.ended = 0
  }

  /** As in the database: a call passes while anything is free. */
  #ask(at: number): void {
    const node = this.#nodes[at]!
    const reserved = CALLS.usual * BigInt(node.running + node.ended)
    const need = CALLS.usual * BigInt(Math.floor(this.#random() * 40))
    const others = sum(this.#rows.filter((_, other) => other !== at).map(({ leased }) => leased))
    const free = LIMIT - this.spent - others - reserved
    const most = free > CALLS.usual ? free : CALLS.usual
    const more = free <= 0n ? 0n : need < most ? need : most
    if (free <= more) this.#fullyLeasedLimit = LIMIT
    node.leased = reserved + more
    this.#rows[at] = { ...node }
  }

  #show(): void {
    const leased = sum(this.#rows.map((row) => row.leased))
    const ended = sum(this.#rows.map((row) => CALLS.usual * BigInt(row.ended)))
    const running = this.#rows.reduce((all, row) => all + row.running, 0)
    const { spent } = this
    const reserved = ended + CALLS.usual * BigInt(running)
    const leases = { leased, reserved, ended, fullyLeasedLimit: this.#fullyLeasedLimit }
    const bound = overshootBound({ ...CALLS, spent, running, leases })
    if (this.#fullyLeasedLimit !== null || spent + leased >= LIMIT) this.shown.push(bound)
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, amount) => all + amount, 0n)
}

test('since nothing was free, every figure is at least what is spent beyond it in the end', () => {
  let shown = 0
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const history = new History(createRandom(seed))
    history.run(100 + seed * 2)
    const over = history.spent - LIMIT
    const low = history.shown.findIndex((bound) => bound < over)
    assert.equal(low, -1, `seed ${seed}: ${history.shown[low]} was shown, ${over} came`)
    shown += history.shown.length
  }
  assert.ok(shown > HISTORIES * 100, `${shown} figures`)
})
