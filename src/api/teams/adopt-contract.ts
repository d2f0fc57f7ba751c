// The contract for making teams out of a dimension, seen through contract.ts. It is only ever added
// to.

import { z } from 'zod'
import { DIM_KEY } from '../../core/dims.ts'
import { boolean, count, string } from '../answer-members.ts'
import { KEY_ID_EXAMPLE } from '../keys/key-contract.ts'
import { named, namedBody } from '../parameter-schemas.ts'
import { usd } from '../prices/rate-contract.ts'
import { TEAM_ID_EXAMPLE } from './team-contract.ts'

/** Values without a key that an answer lists. */
export const NO_KEY_MAX = 100

const DIM_FAULT =
  'dim must be the name of a dimension: a letter, then up to 63 letters, digits, dots, dashes or underscores'

export const teamAdoptionRequestSchema = namedBody('TeamAdoptionRequest', {
  dim: z
    .string(DIM_FAULT)
    .regex(DIM_KEY, DIM_FAULT)
    .describe('A dimension that keys have locked.')
    .meta({ example: 'team' }),
  dry_run: z
    .boolean('dry_run must be true or false')
    .optional()
    .describe('Only says what would be done.'),
})

const sum = {
  calls: count('Past calls without a team, refused ones included.'),
  cost_usd: usd.describe('What they cost, exactly.'),
}
const month = z.string().meta({ description: 'By the end of a call.', example: '2026-03' })

export const teamAdoptionSchema = named('TeamAdoption', {
  dim: string(undefined, 'team'),
  dry_run: boolean('True: nothing was changed.'),
  teams: z
    .array(
      z.object({
        slug: string('Its short name, made of the value.', 'search'),
        name: string(undefined, 'Search'),
        values: z.array(z.string()).describe('Of the dimension: those that make this short name.'),
        state: z
          .enum(['new', 'known', 'left'])
          .describe(
            '`new`: it is made. `known`: it is there and used. `left`: no key comes to it.',
          ),
        why: string.orNull('Why no key comes to it.'),
        team_id: string.orNull('Null while it is not made.', TEAM_ID_EXAMPLE),
        ...sum,
      }),
    )
    .describe('By value.'),
  keys: z
    .array(
      z.object({
        id: string('svc_k_…', KEY_ID_EXAMPLE),
        name: string(),
        value: string('What it has of the dimension.', 'search'),
        slug: string('Of the team of that value.', 'search'),
        state: z
          .enum(['moved', 'there', 'left'])
          .describe(
            '`moved`: it comes to the team. `there`: it is in it. `left`: it stays as it is, and so do its calls.',
          ),
        why: string.orNull('Why it is left.'),
      }),
    )
    .describe('Those with the dimension, by value and name.'),
  ...sum,
  months: z.array(z.object({ month, ...sum })).describe('The past calls, oldest first.'),
  gone: z
    .array(z.object({ month, ...sum }))
    .describe(
      'Calls of these keys that are no longer kept, so that they stay without a team: forwarded ones, from the sums of the months.',
    ),
  no_key: z
    .array(
      z.object({
        value: string(undefined, 'batch'),
        calls: count('Forwarded calls of all time.'),
        cost_usd: usd,
      }),
    )
    .describe(
      `Values that callers sent and no key has locked; they make no team. The ${NO_KEY_MAX} that cost most.`,
    ),
})

export type TeamAdoptionRequest = z.input<typeof teamAdoptionRequestSchema>
export type TeamAdoptionAnswer = z.infer<typeof teamAdoptionSchema>
