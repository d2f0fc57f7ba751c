// Checks a password within the limits of failed attempts, or says how long to wait; what is refused
// is written into the audit log, within its limits.

import type { Attempt } from '../../accounts/sign-in-attempts.ts'
import { WeirError } from '../../core/weir-error.ts'
import { describeError, errorResponse } from '../answer-error.ts'
import type { ApiServices } from '../api-options.ts'

/** By then those who wait for a password's check have had their turn. */
const BUSY_SECONDS = 5
const NOTED_CHARS_MAX = 100

export type Checked<Proof> =
  | { readonly kind: 'right'; readonly proof: Proof }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly answer: Response }

/** `check` is null for what is known to be wrong, and returns null for what turns out to be. */
export async function limitAttempt<Proof>(
  services: ApiServices,
  attempt: Attempt,
  check: (() => Promise<Proof | null>) | null,
): Promise<Checked<Proof>> {
  const { signInAttempts, countSignIn } = services
  const waitSeconds = await signInAttempts.take(attempt)
  if (waitSeconds !== null) {
    countSignIn?.('wait')
    await noteRefusal(services, attempt)
    return { kind: 'wait', answer: tooManyAttempts(waitSeconds) }
  }
  let proof: Proof | null = null
  try {
    proof = (await check?.()) ?? null
  } catch (error) {
    await signInAttempts.undo(attempt)
    if (!(error instanceof WeirError) || error.code !== 'rate_limited') throw error
    countSignIn?.('wait')
    return { kind: 'wait', answer: tooManyAtOnce(error) }
  }
  if (proof !== null) {
    await signInAttempts.forget(attempt)
    return { kind: 'right', proof }
  }
  countSignIn?.('wrong')
  await noteRefusal(services, attempt)
  return { kind: 'wrong' }
}

export async function noteRefusal(
  services: ApiServices,
  { email, address }: Pick<Attempt, 'email' | 'address'>,
): Promise<void> {
  const subjectName = email?.slice(0, NOTED_CHARS_MAX) ?? null
  if (!(await services.signInAttempts.takeNote(subjectName ?? ''))) return
  try {
    const changes = { address: { after: address } }
    const line = { action: 'session.refuse', subjectId: null, subjectName, changes } as const
    await services.settings.audit.add(line)
  } catch (error) {
    // The sign-in stays refused, noted or not.
    services.log.warn({ error: describeError(error) }, 'A refused sign-in was not noted')
  }
}

function tooManyAttempts(waitSeconds: number): Response {
  const text = `Too many attempts to sign in have failed. Try again in ${waitSeconds} s.`
  return errorResponse('rate_limited', text, { 'Retry-After': String(waitSeconds) })
}

/** Retry-After is for programs; people read the text. */
function tooManyAtOnce({ message, hint }: WeirError): Response {
  const headers = { 'Retry-After': String(BUSY_SECONDS) }
  return errorResponse('rate_limited', `${message} ${hint ?? ''}`.trim(), headers)
}
