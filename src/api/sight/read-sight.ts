// What a person sees, as their memberships are now: whichever node changed one, the next request
// is answered by it.

import { sightOfUser } from '../../core/teams/sight.ts'
import type { Sight } from '../../core/teams/sight.ts'
import type { TeamDirectory } from '../teams/team-directory.ts'

export async function readSight(userId: string, directory: TeamDirectory): Promise<Sight> {
  const { teams, members } = await directory.read()
  const own = [...members.values()].flatMap((ofTeam) =>
    ofTeam.filter((each) => each.userId === userId),
  )
  return sightOfUser(userId, own, teams)
}
