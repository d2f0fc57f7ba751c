// The contract for errors, seen through contract.ts: one body for all. A code is never renamed.

import { z } from 'zod'
import { CHANGES_SHOWN_MAX } from '../store/settings/changed-meanwhile.ts'
import { AUDIT_ACTIONS } from '../core/user.ts'
import { named } from './parameter-schemas.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'

export const API_ERROR_CODES = [
  'unauthorized',
  'rate_limited',
  'scope_denied',
  'invalid_parameter',
  'unknown_catalog_tuple',
  'bad_request',
  'body_too_large',
  'not_found',
  'method_not_allowed',
  'conflict',
  'changed_meanwhile',
  'sign_in_refused',
  'cross_site',
  'misdirected_request',
  'overloaded',
  'internal',
] as const satisfies readonly WeirErrorCode[]

export const errorBodySchema = named('Error', {
  error: z.string().describe('What is wrong and what would be right.'),
  code: z.enum(API_ERROR_CODES),
})

/** Which fields, without their values: whoever may change it may not read everything. */
export const changedMeanwhileSchema = named('ChangedMeanwhile', {
  ...errorBodySchema.shape,
  version: z.int().describe('As it is now; 0 where it is gone.'),
  changes: z
    .array(
      z.object({
        number: z.int().describe('Of the line in the audit log.'),
        at: z.iso.datetime(),
        actor: z.object({
          kind: z.enum(['user', 'token', 'command', 'system']),
          name: z.string(),
        }),
        action: z.enum(AUDIT_ACTIONS),
        fields: z.array(z.string()),
      }),
    )
    .describe(`Since the version that If-Match names, newest first, ${CHANGES_SHOWN_MAX} at most.`),
})

export type ApiErrorCode = (typeof API_ERROR_CODES)[number]
export type ErrorBody = z.infer<typeof errorBodySchema>
export type ChangedMeanwhileBody = z.infer<typeof changedMeanwhileSchema>
