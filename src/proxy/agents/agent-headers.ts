// What the tool shows of a budget stands in headers of the answer. The provider's own of that kind
// are about the company's account, and would look like the person's. Nothing else is changed.

import { percentOf, surpassed } from '../../core/agents/standing.ts'
import { usedOf } from '../../core/budget-state.ts'
import type { BudgetState } from '../../core/budget-state.ts'
import type { ResponseGuard } from '../../policy/answer-guard.ts'
import { slice } from '../../wire/http/body-scanner.ts'
import { removeLine } from '../../wire/http/forwarded-headers.ts'
import type { LineChange } from '../../wire/http/forwarded-headers.ts'
import type { HeaderLines } from '../../wire/http/header-lines.ts'
import type { ResponseHead } from '../../wire/http/http-head.ts'

const RATE_LIMIT = 'anthropic-ratelimit-'

/** Besides what the guard of a stored credential changes, if there is one. */
export class AgentAnswer implements ResponseGuard {
  readonly #guard: ResponseGuard | null
  readonly #standing: (() => BudgetState | null) | null

  /** `standing` is null where nothing is spent. */
  constructor(guard: ResponseGuard | null, standing: (() => BudgetState | null) | null) {
    this.#guard = guard
    this.#standing = standing
  }

  clean(lines: HeaderLines): readonly LineChange[] {
    return withoutRateLimits(lines, this.#guard?.clean(lines))
  }

  pass(bytes: Buffer, end: number, trailersAt: number): Buffer {
    return this.#guard?.pass(bytes, end, trailersAt) ?? slice(bytes, 0, end)
  }

  addedTo({ status }: Pick<ResponseHead, 'status'>): string {
    return status < 300 ? writeStanding(this.#standing?.() ?? null) : ''
  }
}

export function standingLine(name: string, value: string): string {
  return `${RATE_LIMIT}unified-${name}: ${value}`
}

/** The fullest of them, with line ends; nothing where no budget stops the calls. */
export function writeStanding(state: BudgetState | null): string {
  if (state === null) return ''
  const percent = Math.min(percentOf(usedOf(state), state.budget.limit), 99)
  const step = surpassed(percent)
  const status = step === null ? 'allowed' : 'allowed_warning'
  const reset = String(Math.round(state.span.endMs / 1000))
  const lines = [
    standingLine('status', status),
    standingLine('representative-claim', 'overage'),
    standingLine('overage-status', status),
    standingLine('overage-utilization', (percent / 100).toFixed(2)),
    ...(step === null ? [] : [standingLine('overage-surpassed-threshold', step)]),
    standingLine('reset', reset),
    standingLine('overage-reset', reset),
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

/** In the order of the head's bytes, as `changes` are; a line that goes is not changed besides. */
function withoutRateLimits(
  lines: HeaderLines,
  changes: readonly LineChange[] = [],
): readonly LineChange[] {
  const removed = lines.toList().flatMap(({ name }, line) => {
    return name.toLowerCase().startsWith(RATE_LIMIT) ? [removeLine(lines, line)] : []
  })
  if (removed.length === 0) return changes
  const others = changes.filter(({ line }) => removed.every((each) => each.line !== line))
  return [...others, ...removed].toSorted((one, other) => one.line - other.line)
}
