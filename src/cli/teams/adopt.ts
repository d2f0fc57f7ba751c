// weir teams adopt

import type { TeamAdoptionAnswer } from '../../api/contract.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, option, REQUIRED, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { quoteWord } from '../printable.ts'
import { formatAdoption } from './adopt-view.ts'

export const commands: Commands = {
  'teams adopt': apiCommand({
    scope: 'admin',
    members: { dim: '--dim', dry_run: '--dry-run' },
    longHint: 'It goes on there: run it again to see what is left.',
    options: {
      dim: option('KEY', 'the dimension whose values are the teams', REQUIRED),
      'dry-run': flag('show what would be done, and change nothing'),
    },
    run: adopt,
  }),
}

async function adopt(input: CommandInput, api: Api): Promise<Shown> {
  const dim = textOption(input, 'dim') ?? ''
  const body = { dim, dry_run: input.values['dry-run'] === true }
  const answer = await api.send<TeamAdoptionAnswer>('POST /v1/team-adoptions', body)
  const line = `weir teams adopt --dim ${quoteWord(dim)}`
  return { json: answer, text: formatAdoption(answer, line) }
}
