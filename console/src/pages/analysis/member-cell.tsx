// A member of a row in a cell: a key by its name, with its id below.

import type { Member } from '../../data/analysis/analysis.ts'
import { toMemberName } from '../../data/analysis/fields.ts'

export function MemberCell({ member }: { readonly member: Member | undefined }) {
  if (member === undefined) return null
  if (member.kind !== 'value') return <em className="member-rest">{toMemberName(member)}</em>
  return (
    <>
      {toMemberName(member)}
      {member.name !== null && <span className="cell-under mono">{member.value}</span>}
    </>
  )
}
