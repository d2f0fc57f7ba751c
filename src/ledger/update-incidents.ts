// Joins today's jumps to the incidents that go on, and makes new ones of the rest. Must stay true:
// a check that is repeated changes nothing.

import { toIncidentAlert } from '../core/alerts/incident-alert.ts'
import { createIncidentId } from '../core/alerts/incident.ts'
import type { Incident, Jump, Spender } from '../core/alerts/incident.ts'
import type { JumpGroup } from './group-jumps.ts'

export interface UpdatedIncidents {
  /** With today's figures. */
  readonly changed: readonly Incident[]
  /** The largest first. */
  readonly fresh: readonly Incident[]
}

/** `open` are those that are not over; each takes one group, and each group goes to one. */
export function updateIncidents(
  open: readonly Incident[],
  groups: readonly JumpGroup[],
  { dayMs, at }: { readonly dayMs: number; readonly at: number },
): UpdatedIncidents {
  const day = new Date(dayMs).toISOString().slice(0, 10)
  const going = joinGroups(open, groups)
  const fresh = groups
    .filter((group) => !going.has(group))
    .map((group) => {
      const id = createIncidentId(group.lead.spender, day)
      return { id, at, ...withJump([], group, day) }
    })
  const changed = Array.from(going, ([group, known]): Incident => {
    const next = withJump(known.jumps, group, day)
    const [lead, ...others] = next.subjects
    const gone = known.subjects.filter(isMissingIn(next.subjects))
    return { ...known, ...next, subjects: [lead, ...others, ...gone] }
  })
  return { changed: changed.filter((next) => hasChanged(next, open)), fresh }
}

/** By the lead first; then where the lead of one is a subject of the other. */
function joinGroups(
  open: readonly Incident[],
  groups: readonly JumpGroup[],
): ReadonlyMap<JumpGroup, Incident> {
  const joined = new Map<JumpGroup, Incident>()
  const waiting = new Set(open)
  // A model that two keys share does not join them: it leads neither.
  for (const isJoined of [haveOneLead, isLeadNamed]) {
    for (const group of groups) {
      const incident = [...waiting].find((each) => isJoined(each, group))
      if (incident === undefined || joined.has(group)) continue
      joined.set(group, incident)
      waiting.delete(incident)
    }
  }
  return joined
}

function haveOneLead({ subjects: [first] }: Incident, { lead }: JumpGroup): boolean {
  return !isMissingIn([first])(lead.spender)
}

function isLeadNamed({ subjects }: Incident, { lead, others }: JumpGroup): boolean {
  const spenders = others.map(({ spender }) => spender)
  return !isMissingIn(spenders)(subjects[0]) || !isMissingIn(subjects)(lead.spender)
}

function hasChanged(next: Incident, open: readonly Incident[]): boolean {
  const before = open.find(({ id }) => id === next.id)
  return before === undefined || toIncidentAlert(before).body !== toIncidentAlert(next).body
}

function withJump(
  before: readonly Jump[],
  { lead, others }: JumpGroup,
  day: string,
): Pick<Incident, 'subjects' | 'jumps' | 'largest' | 'days'> {
  const { spender, spent, usual, largest, days } = lead
  const jumps = [...before.filter((jump) => jump.day !== day), { day, spent, usual }]
  return {
    subjects: [spender, ...others.map((other) => other.spender)],
    jumps: jumps as [Jump, ...Jump[]],
    largest,
    days,
  }
}

function isMissingIn(list: readonly Spender[]): (one: Spender) => boolean {
  return ({ kind, name }) => !list.some((other) => other.kind === kind && other.name === name)
}
