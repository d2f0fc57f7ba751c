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

class Guarded<Reader> {
  protected readonly reader: Reader
  protected readonly report: Report
  protected hasFailed = false

  constructor(reader: Reader, report: Report) {
    this.reader = reader
    this.report = report
  }

  protected fail(called: Called, cause: unknown): void {
    this.hasFailed = true
    this.report(called, cause)
  }
}

export class GuardedModelReader extends Guarded<ModelReader> implements ModelReader {
  feed(bytes: Uint8Array): boolean {
    try {
      return this.reader.feed(bytes)
    } catch (cause) {
      this.fail('modelReader.feed', cause)
      return true
    }
  }

  end(): string | null {
    if (this.hasFailed) return null
    try {
      return this.reader.end()
    } catch (cause) {
      this.fail('modelReader.end', cause)
      return null
    }
  }

  complete(reading: Reading, isWhole: boolean): Reading {
    if (this.hasFailed) return reading
    try {
      return this.reader.complete?.(reading, isWhole) ?? reading
    } catch (cause) {
      this.fail('modelReader.complete', cause)
      return reading
    }
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
    if (this.hasFailed) return
    try {
      this.reader.feed(bytes)
    } catch (cause) {
      this.fail('namesReader.feed', cause)
    }
  }

  end(): NamesFound {
    if (this.hasFailed) return UNREADABLE
    try {
      return this.reader.end()
    } catch (cause) {
      this.fail('namesReader.end', cause)
      return UNREADABLE
    }
  }
}

/** What was read before a failure still counts, as partial. */
export class GuardedUsageReader extends Guarded<UsageReader> implements UsageReader {
  get keptTextBytes(): number | undefined {
    try {
      return this.reader.keptTextBytes
    } catch (cause) {
      this.fail('usageReader.keptTextBytes', cause)
      return undefined
    }
  }

  feed(bytes: Uint8Array): void {
    if (this.hasFailed) return
    try {
      this.reader.feed(bytes)
    } catch (cause) {
      this.fail('usageReader.feed', cause)
    }
  }

  dropText(): void {
    try {
      this.reader.dropText?.()
    } catch (cause) {
      this.fail('usageReader.dropText', cause)
    }
  }

  end(isWhole: boolean): Reading {
    try {
      return this.reader.end(isWhole && !this.hasFailed)
    } catch (cause) {
      this.fail('usageReader.end', cause)
      return MALFORMED
    }
  }
}

export class GuardedMessageReader extends Guarded<MessageReader> implements MessageReader {
  read(message: Uint8Array): void {
    if (this.hasFailed) return
    try {
      this.reader.read(message)
    } catch (cause) {
      this.fail('messageReader.read', cause)
    }
  }

  end(isWhole: boolean): Reading {
    try {
      return this.reader.end(isWhole && !this.hasFailed)
    } catch (cause) {
      this.fail('messageReader.end', cause)
      return MALFORMED
    }
  }
}
