// The page on which a person approves the sign-in of a device: what it asks and is answered.

import { z } from 'zod'

const USER_CODE_CHARS_MAX = 32

const userCode = z.string().max(USER_CODE_CHARS_MAX).meta({
  description: 'The code that the device shows, in upper or lower case, with or without the dash.',
  example: 'WDJB-MJHT',
})

export const deviceCodeSchema = z.strictObject({ user_code: userCode })

export const deviceApprovalSchema = z.strictObject({
  user_code: userCode,
  team_id: z.string().max(63).nullable().meta({
    description: 'The team that its calls are booked to, one of `teams`; null where there is none.',
    example: 'team_0123456789abcdef',
  }),
})

export const deviceSchema = z.strictObject({
  user_code: userCode,
  agent: z.string().nullable().meta({
    description: 'As the program calls itself; anybody can claim it.',
    example: 'claude-code/2.1.326',
  }),
  address: z.string().meta({ description: 'Where it asked from.', example: '192.0.2.7' }),
  own_address: z.string().meta({
    description: 'Where the person asks from: another one may be a sign of fraud, or of a server.',
    example: '192.0.2.7',
  }),
  asked_at: z.string().meta({ description: 'When.', example: '2026-11-18T09:00:00.000Z' }),
  expires_at: z
    .string()
    .meta({ description: 'Until when it waits.', example: '2026-11-18T09:10:00.000Z' }),
  provider: z.string().meta({
    description: 'The provider that its calls go to, paid by the company.',
    example: 'some-provider',
  }),
  email: z.string().meta({ description: 'Who would be signed in.', example: 'max@example.com' }),
  teams: z.array(z.strictObject({ id: z.string(), name: z.string() })).meta({
    description:
      'Teams of the person that may use the stored credential; calls are booked to one of them.',
    example: [{ id: 'team_0123456789abcdef', name: 'Search' }],
  }),
  fault: z.string().nullable().meta({
    description: 'Why the person cannot approve it; null where they can.',
    example: null,
  }),
})

export const deviceDecisionSchema = z.strictObject({
  decision: z
    .enum(['approved', 'denied'])
    .meta({ description: 'What became of it.', example: 'approved' }),
})

export type Device = z.output<typeof deviceSchema>
export type DeviceDecision = z.output<typeof deviceDecisionSchema>
export type DeviceApproval = z.input<typeof deviceApprovalSchema>
