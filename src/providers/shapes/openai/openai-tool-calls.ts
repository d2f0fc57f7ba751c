// OpenAI's own tools that are billed per call, as a response's output shows them. Must stay true:
// only what is charged is counted; functions, computers and remote servers cost tokens only.

import type { JsonListShape } from '../../../wire/json/json-members.ts'
import { toName, toObject } from '../json-leaves.ts'

/** A response that calls more tools than this has run away. */
const OUTPUT_ITEMS_MAX = 1024
const CONTAINERS_MAX = 256

export const OUTPUT_ITEMS: JsonListShape = [
  {
    type: true,
    status: true,
    container_id: true,
    action: { type: true },
    environment: { container_id: true },
  },
  OUTPUT_ITEMS_MAX,
]

export type ToolCallCounts = Readonly<Record<string, number>>

export class ToolCalls {
  readonly #counts: Record<string, number> = {}
  readonly #containers = new Set<string | null>()

  /** Takes one output item; most are no such call. */
  add(value: unknown): void {
    const item = toObject(value)
    switch (item?.['type']) {
      case 'web_search_call':
        // Opening a page, or searching within it, is not a search.
        if (isSearch(item['action']) && item['status'] !== 'failed') this.#count('web_search')
        return
      case 'file_search_call':
        return this.#count('file_search')
      case 'image_generation_call':
        return this.#count('image_generation')
      case 'code_interpreter_call':
        return this.#open(toName(item['container_id']))
      case 'shell_call': {
        // In a container it is billed as one; run by the caller, it is not billed.
        const container = toName(toObject(item['environment'])?.['container_id'])
        if (container !== null) this.#open(container)
      }
    }
  }

  counts(): ToolCallCounts {
    const containers = this.#containers.size
    return containers === 0 ? this.#counts : { ...this.#counts, code_interpreter: containers }
  }

  #count(kind: string): void {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1
  }

  /** The container is billed, however often code is run in it. */
  #open(container: string | null): void {
    if (this.#containers.size < CONTAINERS_MAX) this.#containers.add(container)
  }
}

function isSearch(action: unknown): boolean {
  const type = toObject(action)?.['type'] ?? null
  return type === null || type === 'search'
}
