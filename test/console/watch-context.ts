// Collects all that a browser reports: errors of scripts, messages to its console, refused content.
// A server's refusal is noted as `401 /v1/session`, so that a test can tell the expected from the
// rest.

import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'

export interface Complaints {
  /** Without those that were expected, each once. */
  list(...expected: readonly string[]): readonly string[]
}

const STATUS = /^Failed to load resource: the server responded with a status of (\d{3})/

/** Of all pages there, or of one. */
export function watchContext(context: BrowserContext, only: Page | null = null): Complaints {
  const seen: string[] = []
  const isWatched = (page: Page | null): boolean => only === null || page === only
  context.on('weberror', (fault) => {
    if (isWatched(fault.page())) seen.push(String(fault.error()))
  })
  context.on('console', (message) => {
    if (!isWatched(message.page())) return
    if (message.type() === 'error' || message.type() === 'warning') seen.push(toLine(message))
  })
  return {
    list: (...expected) => [...new Set(seen)].filter((line) => !expected.includes(line)),
  }
}

function toLine(message: ConsoleMessage): string {
  const text = message.text()
  const status = STATUS.exec(text)?.[1]
  if (status === undefined) return `${message.type()}: ${text}`
  const address = URL.parse(message.location().url)
  return `${status} ${address?.pathname ?? '?'}`
}
