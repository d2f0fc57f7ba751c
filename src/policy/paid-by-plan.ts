// Calls that a subscription pays for, and not by what they use. Must stay true: the only credential
// that the call has says so, so that no header can take a call out of the budgets.

import type { PlanCredential } from '../providers/provider.ts'
import { LINE } from '../wire/http/header-lines.ts'
import type { HeaderLines } from '../wire/http/header-lines.ts'

/** On answers: what the plan includes is used up, and this call is charged by what it uses. */
export const OVERAGE_HEADER = 'anthropic-ratelimit-unified-overage-in-use'

/** Only for a call that uses no stored credential. */
export function isPaidByPlan(lines: HeaderLines, plan: PlanCredential | undefined): boolean {
  if (plan === undefined) return false
  const { authorization, header } = plan
  let credentials = 0
  let isPlan = false
  let hasHeader = header === undefined
  for (let line = 0; line < lines.count; line++) {
    if (lines.kindOf(line) === LINE.credential) {
      credentials += 1
      isPlan = lines.isNamed(line, 'authorization') && authorization.test(lines.valueOf(line))
    } else hasHeader ||= header !== undefined && lines.isNamed(line, header)
  }
  return isPlan && hasHeader && credentials === 1
}
