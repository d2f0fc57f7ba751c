// How much one request of SCIM may ask for, and who may ask.

import { withRatedScope } from '../rated-access.ts'

/** A group of some thousand members, as Okta writes it whole. */
export const BODY_BYTES_MAX = 1_048_576
export const PAGE_ROWS_MAX = 200
/** 25 a second is what Entra asks of a service. */
export const SCIM_REQUESTS_PER_MINUTE_MAX = 1500

export const SCIM_ACCESS = withRatedScope('scim', ({ scimRateLimit }) => scimRateLimit)
