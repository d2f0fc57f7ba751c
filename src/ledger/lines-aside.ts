// Lines that the batch has to leave out, and their letters. Must stay true: a letter is on the disk
// before the batch without its line is written, and a retry does not write it again.

import type { JournalLine } from '../journal/journal.ts'
import type { OpenCall } from '../store/ledger/ledger-progress.ts'
import { nameOpening } from './batch.ts'
import { describeLine, nameLetter, toReason } from './dead-letters.ts'
import type { DeadLetter, DeadLetters } from './dead-letters.ts'

export class LinesAside {
  readonly #deadLetters: DeadLetters
  /** What the store has refused for good, until the batch without it is written. */
  readonly #reasons = new Map<string, string>()
  /** Letters on the disk whose batch is not stored. */
  readonly #written = new Set<string>()

  constructor(deadLetters: DeadLetters) {
    this.#deadLetters = deadLetters
  }

  /** As `createUsageBatch` is told what to leave out. */
  get reasons(): ReadonlyMap<string, string> {
    return this.#reasons
  }

  refuse(eventId: string, error: unknown): void {
    this.#reasons.set(eventId, toReason(error))
  }

  /**
   * For a line that failed alone. False where the batch failed without it just the same: it is not
   * at fault, and is tried again.
   */
  blame(
    lines: readonly JournalLine[],
    openCalls: ReadonlyMap<string, OpenCall>,
    error: unknown,
  ): boolean {
    const names = lines.flatMap((line) => namesOf(line, openCalls))
    const fresh = names.filter((name) => !this.#reasons.has(name))
    for (const name of fresh) this.#reasons.set(name, toReason(error))
    if (fresh.length === 0) for (const name of names) this.#reasons.delete(name)
    return fresh.length > 0
  }

  async write(letters: readonly DeadLetter[]): Promise<void> {
    const fresh = letters.filter((letter) => !this.#written.has(nameLetter(letter)))
    if (fresh.length === 0) return
    await this.#deadLetters.append(fresh)
    for (const letter of fresh) this.#written.add(nameLetter(letter))
  }

  /** The batch is stored. Letters of lines that a smaller batch left for later stay. */
  settle(letters: readonly DeadLetter[]): void {
    for (const letter of letters) {
      const described = describeLine(letter.text)
      if (described.kind === 'close') this.#reasons.delete(described.id)
      else if (described.kind !== 'unknown') this.#reasons.delete(nameOpening(described.id))
      this.#written.delete(nameLetter(letter))
    }
  }
}

function namesOf(
  { worker, entry }: JournalLine,
  openCalls: ReadonlyMap<string, OpenCall>,
): string[] {
  switch (entry.kind) {
    case 'open':
      return [nameOpening(entry.opening.id)]
    case 'held':
      return [nameOpening(entry.event.id)]
    case 'close':
      return [entry.event.id]
    case 'start':
    case 'end': {
      const calls = [...openCalls.values()].filter((call) => call.worker === worker)
      return calls.map(({ opening }) => opening.id)
    }
  }
}
