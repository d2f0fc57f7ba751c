// The contract for the nodes that share a database, seen through contract.ts. It is only ever added
// to.

import { z } from 'zod'
import { count, number, string, time } from '../answer-members.ts'
import { named, namedBody } from '../parameter-schemas.ts'

export const NODE_ID_EXAMPLE = '0b5b4c6e-3f0e-4c39-9a55-6f6f2f0a1c11'
const id = z.string().meta({ example: NODE_ID_EXAMPLE })
const host = z.string().meta({ example: 'proxy-1' })

export const nodeSchema = named('Node', {
  id,
  host,
  role: z.enum(['proxy', 'api', 'all']),
  state: z.enum(['running', 'draining', 'left']),
  version: z.string().meta({ example: '1.4.0' }),
  config_hash: string('Of what must be the same on all nodes.'),
  clock_offset_ms: number.orNull(
    "How far its clock is ahead of the database's; null until it was measured.",
  ),
  started_at: time(),
  seen_at: time('Its last heartbeat.'),
  silent_ms: number('Since its last heartbeat.'),
  fault: string.orNull('Why it does not do all its work.'),
  ledger_silent_since: time.orNull('Null while its ledger answers.'),
  journal: z
    .object({
      lag_bytes: count('Not stored yet.'),
      unread: z.int(),
      forwarded: z.int(),
      recorded: z.int(),
      pending: z.int(),
      dead: z.int(),
      lost: z.int(),
      caught_up_at: time.orNull(),
    })
    .nullable()
    .describe('Null for a node without journals.'),
  warnings: z.array(z.string()).describe('What an operator should look at.'),
})

export const nodeListSchema = named('NodeList', {
  engine: z.enum(['sqlite', 'postgresql']).describe('With SQLite there is one node: no rows.'),
  rows: z.array(nodeSchema),
  warnings: z.array(z.string()).describe('About all of them.'),
})

export const forgetRequestSchema = namedBody('ForgetRequest', {
  force: z
    .boolean('force must be true or false')
    .optional()
    .describe('Although it left calls that are not stored: these count as lost.'),
})

export const forgottenNodeSchema = named('ForgottenNode', {
  id,
  host,
  unstored_bytes: count('Of its journal, as it last said.'),
  lost: count('Calls that it did not store.'),
})

export type NodeRow = z.infer<typeof nodeSchema>
export type NodeListAnswer = z.infer<typeof nodeListSchema>
export type ForgottenNode = z.infer<typeof forgottenNodeSchema>
