// The readers of a guarded provider: each catches what the provider's reader throws.

import { NO_READING, UNREADABLE } from './provider.ts'
import type {
  MessageReader,
  ModelReader,
  NamesFound,
  NamesReader,
  Reading,
  UsageReader,
} from './provider.ts'

export type Called =
  | 'matches'
  | 'prepare'
  | 'regionOf'
  | `${'' | 'tunnel.'}create${'Model' | 'Names' | 'Usage'}Reader`
  | `tunnel.${'readModel' | 'readAsk'}`
  | `${'modelReader' | 'namesReader' | 'usageReader'}.${'feed' | 'end'}`
  | 'modelReader.complete'
  | `usageReader.${'keptTextBytes' | 'dropText'}`
  | `messageReader.${'read' | 'end'}`

export type Report = (called: Called, cause: unknown) => void

const MALFORMED: Reading = { ...NO_READING, kind: 'malformed' }

/** In place of readers that could not be created. */
export const FAILED_USAGE: UsageReader = { feed() {}, end: () => MALFORMED }
export const FAILED_MESSAGES: MessageReader = { read() {}, end: () => MALFORMED }
export const FAILED_NAMES: NamesReader = { isBodyless: true, feed() {}, end: () => UNREADABLE }

/** Runs what may have a defect. */
export class Guard {
  readonly #report: Report
  protected hasFailed = false

  constructor(report: Report) {
    this.#report = report
  }

  /** `otherwise` is the answer where it throws. */
  attempt<Result>(called: Called, otherwise: Result, run: () => Result): Result {
    try {
      return run()
    } catch (cause) {
      this.fail(called, cause)
      return otherwise
    }
  }

  protected fail(called: Called, cause: unknown): void {
    this.hasFailed = true
    this.#report(called, cause)
  }
}

class Guarded<Reader> extends Guard {
  protected readonly reader: Reader

  constructor(reader: Reader, report: Report) {
    super(report)
    this.reader = reader
  }
}

export class GuardedModelReader extends Guarded<ModelReader> implements ModelReader {
  feed(bytes: Uint8Array): boolean {
    return this.attempt('modelReader.feed', true, () => this.reader.feed(bytes))
  }

  end(): string | null {
    return this.hasFailed ? null : this.attempt('modelReader.end', null, () => this.reader.end())
  }

  complete(reading: Reading, isWhole: boolean): Reading {
    if (this.hasFailed) return reading
    const run = (): Reading => this.reader.complete?.(reading, isWhole) ?? reading
    return this.attempt('modelReader.complete', reading, run)
  }
}

export class GuardedNamesReader extends Guarded<NamesReader> implements NamesReader {
  get isBodyless(): true | undefined {
    return this.reader.isBodyless
  }

  get isQuiet(): true | undefined {
    return this.reader.isQuiet
  }

  feed(bytes: Uint8Array): void {
    if (!this.hasFailed) {
      this.attempt('namesReader.feed', undefined, () => this.reader.feed(bytes))
    }
  }

  end(): NamesFound {
    if (this.hasFailed) return UNREADABLE
    return this.attempt('namesReader.end', UNREADABLE, () => this.reader.end())
  }
}

/** What was read before a failure still counts, as partial. */
export class GuardedUsageReader extends Guarded<UsageReader> implements UsageReader {
  get keptTextBytes(): number | undefined {
    return this.attempt('usageReader.keptTextBytes', undefined, () => this.reader.keptTextBytes)
  }

  feed(bytes: Uint8Array): void {
    if (this.hasFailed) return
    // Of every piece of every answer: no function is made for it.
    try {
      this.reader.feed(bytes)
    } catch (cause) {
      this.fail('usageReader.feed', cause)
    }
  }

  dropText(): void {
    this.attempt('usageReader.dropText', undefined, () => this.reader.dropText?.())
  }

  end(isWhole: boolean): Reading {
    const run = (): Reading => this.reader.end(isWhole && !this.hasFailed)
    return this.attempt('usageReader.end', MALFORMED, run)
  }
}

export class GuardedMessageReader extends Guarded<MessageReader> implements MessageReader {
  read(message: Uint8Array): void {
    if (!this.hasFailed) {
      this.attempt('messageReader.read', undefined, () => this.reader.read(message))
    }
  }

  end(isWhole: boolean): Reading {
    const run = (): Reading => this.reader.end(isWhole && !this.hasFailed)
    return this.attempt('messageReader.end', MALFORMED, run)
  }
}
