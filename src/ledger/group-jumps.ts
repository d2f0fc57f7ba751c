// Which of a day's jumps are one incident. Keys come first, then dimension values, then models,
// each the largest first: a jump is an incident of its own unless calls of the incidents found so
// far make up at least half of its excess. So two keys are never one incident, and what jumps
// because of a key is part of the key's.

import type { Spender, SpenderKind } from '../core/alerts/incident.ts'
import type { Money } from '../core/money.ts'
import type { SharedSpend } from '../store/usage/day-spend.ts'
import type { Anomaly } from './anomalies.ts'

export interface SpenderJump extends Anomaly {
  readonly spender: Spender
}

export interface JumpGroup {
  /** Its calls are the calls of the incident. */
  readonly lead: SpenderJump
  readonly others: readonly SpenderJump[]
}

const RANKS: Readonly<Record<SpenderKind, number>> = { api_key: 0, dim: 1, model: 2 }

interface OpenGroup extends JumpGroup {
  readonly others: SpenderJump[]
}

/** The largest first. The places in `shares` are those of `jumps`. */
export function groupJumps(
  jumps: readonly SpenderJump[],
  shares: readonly SharedSpend[],
): readonly JumpGroup[] {
  const groups = new Map<number, OpenGroup>()
  const sharesOf = jumps.map((_, place) =>
    shares.filter(({ spenders }) => spenders.includes(place)),
  )
  for (const { jump, place } of jumps
    .map((each, at) => ({ jump: each, place: at }))
    .toSorted(byRank)) {
    const { total, byGroup } = sumShared(sharesOf[place] ?? [], groups)
    if (2n * total < jumpExcess(jump)) groups.set(place, { lead: jump, others: [] })
    else for (const group of chooseGroups(byGroup)) group.others.push(jump)
  }
  return [...groups.values()].toSorted((one, other) =>
    compare(jumpExcess(other.lead), jumpExcess(one.lead)),
  )
}

interface Overlap {
  readonly total: Money
  readonly byGroup: ReadonlyMap<OpenGroup, Money>
}

/** What calls of the groups' leads spent. A call of two leads is in the total once. */
function sumShared(
  shares: readonly SharedSpend[],
  groups: ReadonlyMap<number, OpenGroup>,
): Overlap {
  const byGroup = new Map<OpenGroup, Money>()
  let total = 0n
  for (const { spenders, spent } of shares) {
    const sharing = spenders.map((each) => groups.get(each)).filter((each) => each !== undefined)
    if (sharing.length > 0) total += spent
    for (const group of sharing) byGroup.set(group, (byGroup.get(group) ?? 0n) + spent)
  }
  return { total, byGroup }
}

/** Those that it makes up half of; one that is a small part of each is named with the largest. */
function chooseGroups(byGroup: Overlap['byGroup']): readonly OpenGroup[] {
  const sharing = [...byGroup].toSorted(([, one], [, other]) => compare(other, one))
  const halves = sharing.filter(([{ lead }, shared]) => 2n * shared >= jumpExcess(lead))
  return (halves.length > 0 ? halves : sharing.slice(0, 1)).map(([group]) => group)
}

export function jumpExcess({ spent, usual }: Anomaly): Money {
  return spent - usual
}

interface Placed {
  readonly jump: SpenderJump
}

function byRank({ jump: one }: Placed, { jump: other }: Placed): number {
  return (
    RANKS[one.spender.kind] - RANKS[other.spender.kind] ||
    compare(jumpExcess(other), jumpExcess(one)) ||
    compare(one.spender.name, other.spender.name)
  )
}

function compare<Value extends bigint | string>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0
}
