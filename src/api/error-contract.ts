// The contract for errors, seen through contract.ts: one body for all. A code is never renamed.

import { z } from 'zod'
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

export type ApiErrorCode = (typeof API_ERROR_CODES)[number]
export type ErrorBody = z.infer<typeof errorBodySchema>
