// Errors in SCIM's own shape (RFC 7644, section 3.12). What is not a fault of SCIM is answered, and
// logged, as everywhere.

import { answerError } from '../answer-error.ts'
import type { ErrorContext } from '../answer-error.ts'

type HeaderEntries = ConstructorParameters<typeof Headers>[0]

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

export class ScimFault extends Error {
  readonly status: number
  readonly scimType: ScimType | null
  readonly headers: Readonly<Record<string, string>>

  constructor(
    scimType: ScimType | null,
    message: string,
    {
      status = scimType === 'uniqueness' ? 409 : 400,
      headers = {},
    }: Partial<Pick<ScimFault, 'status' | 'headers'>> = {},
  ) {
    super(message)
    this.name = 'ScimFault'
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

export async function answerFault(error: unknown, place: ErrorContext): Promise<Response> {
  if (error instanceof ScimFault) return toErrorAnswer(error, error.headers)
  const plain = answerError(error, place)
  const { error: message, code } = (await plain.json()) as { error: string; code: string }
  const scimType = code === 'invalid_parameter' ? 'invalidValue' : null
  return toErrorAnswer({ message, status: plain.status, scimType }, plain.headers)
}

function toErrorAnswer(
  { message, status, scimType }: Pick<ScimFault, 'message' | 'status' | 'scimType'>,
  headers: HeaderEntries,
): Response {
  // The status is a text, as section 3.12 has it.
  const body = { schemas: [ERROR], status: String(status), detail: message }
  return toAnswer({ ...body, ...(scimType !== null && { scimType }) }, status, headers)
}

export function toAnswer(body: object, status = 200, more: HeaderEntries = {}): Response {
  const headers = new Headers(more)
  headers.set('Content-Type', 'application/scim+json')
  headers.set('Cache-Control', 'no-store')
  return Response.json(body, { status, headers })
}
