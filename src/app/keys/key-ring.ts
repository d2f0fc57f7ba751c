// The keys in a worker's memory: looked up on every call, refreshed beside. Must stay true: a
// change applies within a second, and without the settings store the last keys stay.

import type { ApiKey } from '../../core/api-key.ts'
import type { Clock } from '../../core/clock.ts'
import type { Meter } from '../../core/telemetry.ts'
import { followKeys } from '../../store/settings/follow.ts'
import type { FollowedKeys } from '../../store/settings/follow.ts'
import type { KeyStore } from '../../store/settings/key-store.ts'
import type { KeyCopy } from '../settings-copy/key-copy.ts'
import { KeyWaits } from './key-waits.ts'

/** A key's change must apply within a second; four checks a second cost next to nothing. */
export const KEY_REFRESH_MS = 250
/** A store that has not answered by then is away, and asked again: the answer may never come. */
const ANSWER_MS_MAX = 2000
/** Each time it gets twice as long, up to this: very many changes may take so long. */
const ANSWER_MS_LONGEST = 32_000

export interface KeyRingOptions {
  readonly keys: Pick<KeyStore, 'readChanges'>
  readonly refreshMs: number
  readonly answerMsMax?: number
  readonly clock: Clock
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

/** Resolves when the keys have been read once: before that, every caller would be refused. */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const ring = new KeyRing(options)
  await ring.open()
  return ring
}

/** For a start without the store: its keys replace those of the copy as soon as it answers. */
export function openKeyRingFrom(copy: KeyCopy, options: KeyRingOptions): KeyRing {
  const ring = new KeyRing(options, copy.keys)
  ring.openFrom(copy)
  return ring
}

export class KeyRing {
  readonly #options: KeyRingOptions
  readonly #keys: FollowedKeys
  readonly #waits: KeyWaits
  #fault: string | null = null
  #timer: NodeJS.Timeout | undefined
  /** On the monotonic clock: when the next reading begins, also if nobody waits for it. */
  #dueAt = 0
  #answerMs: number
  #isReading = false
  #isClosed = false

  constructor(options: KeyRingOptions, copy: readonly ApiKey[] = []) {
    this.#options = options
    this.#keys = followKeys(options.keys, {
      copy,
      // All keys at once may take long, and at a start there is nothing to go on with.
      inTime: (reading, isFirst) => (isFirst ? reading : this.#inTime(reading)),
    })
    this.#answerMs = options.answerMsMax ?? ANSWER_MS_MAX
    this.#waits = new KeyWaits({ find: this.find, clock: options.clock, meter: options.meter })
  }

  readonly find = (id: string): ApiKey | undefined => this.#keys.byId.get(id)

  /** Before a key is refused: it may be new. Null where waiting would be in vain. */
  readonly awaitKey = (id: string): Promise<void> | null => {
    // Without the store no key becomes known.
    if (this.#fault !== null || this.#isClosed) return null
    const wait = this.#waits.add(id)
    if (wait !== null) this.#schedule()
    return wait
  }

  /** That the settings cannot be read, in a sentence; null while all is well. */
  get fault(): string | null {
    return this.#fault
  }

  async open(): Promise<void> {
    await this.#keys.look()
    this.#readAgain()
  }

  openFrom({ keys, confirmedAt }: KeyCopy): void {
    const time = new Date(confirmedAt).toISOString()
    this.#fault = `The settings store cannot be reached; keys are a copy of ${time}.`
    const ageSeconds = Math.round((this.#options.clock.now() - confirmedAt) / 1000)
    this.#options.warn({ keys: keys.length, ageSeconds }, this.#fault)
    this.#readAgain()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#waits.end()
  }

  async #refresh(): Promise<void> {
    this.#isReading = true
    const served = this.#waits.begin()
    try {
      await this.#keys.look()
      this.#answerMs = this.#options.answerMsMax ?? ANSWER_MS_MAX
      this.#fault = null
    } catch (error) {
      this.#fail(error)
    }
    this.#waits.end(served)
    this.#isReading = false
    this.#readAgain()
  }

  async #inTime<Changes>(reading: Promise<Changes>): Promise<Changes> {
    const answerMs = this.#answerMs
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#answerMs = Math.min(ANSWER_MS_LONGEST, 2 * answerMs)
        reject(new Error(`no answer within ${answerMs} ms`))
      }, answerMs)
    })
    try {
      return await Promise.race([reading, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #fail(error: unknown): void {
    const { meter, warn } = this.#options
    meter.add('settingsFailures', 1)
    if (this.#fault !== null) return
    warn({ err: error }, 'settings cannot be read; keys stay as they were')
    this.#fault = 'The settings store cannot be read; keys stay as they were.'
  }

  #readAgain(): void {
    this.#dueAt = this.#options.clock.monotonic() + this.#options.refreshMs
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isClosed || this.#isReading) return
    clearTimeout(this.#timer)
    const inMs = Math.min(this.#dueAt - this.#options.clock.monotonic(), this.#waits.dueInMs)
    this.#timer = setTimeout(() => void this.#refresh(), Math.max(0, inMs))
    this.#timer.unref()
  }
}
