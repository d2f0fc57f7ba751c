// The teams as agents are told of them: those of GET /v1/teams, without their settings.

import { z } from 'zod'
import type { ApiServices } from '../api-options.ts'
import { readTeamPage } from '../teams/read-teams.ts'
import { teamPageSchema, teamRowSchema } from '../teams/team-contract.ts'
import type { teamParametersSchema } from '../teams/team-contract.ts'
import type { ToolAnswer } from './mcp-silent-nodes.ts'

const { id, name, slug, parent_id, parent, status, keys, members, leads } = teamRowSchema.shape

export const teamsSchema = teamPageSchema.extend({
  rows: z.array(z.object({ id, name, slug, parent_id, parent, status, keys, members, leads })),
})

export async function listTeams(
  given: z.output<typeof teamParametersSchema>,
  services: ApiServices,
): Promise<ToolAnswer> {
  const page = teamsSchema.parse(await readTeamPage(given, services))
  const lines = page.rows.map((team) => {
    const facts = [
      ...(team.parent === null ? [] : [`part of ${JSON.stringify(team.parent)}`]),
      `${team.keys} keys, ${team.members} members, ${team.leads} of them leads`,
      ...(team.status === 'archived' ? ['archived'] : []),
    ]
    return `- ${team.id}: ${JSON.stringify(team.name)} (${team.slug}); ${facts.join('; ')}`
  })
  const { next_cursor: cursor } = page
  const text = [
    ...(lines.length === 0 ? ['There is no such team.'] : lines),
    ...(cursor === null ? [] : [`There are more: ask again with cursor ${cursor}.`]),
  ].join('\n')
  return { structured: page, text }
}
