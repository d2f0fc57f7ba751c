// Writes a refused sign-in into the audit log, within its limits.

import type { Attempt } from '../../accounts/sign-in-attempts.ts'
import { describeError } from '../answer-error.ts'
import type { ApiServices } from '../api-options.ts'

const NOTED_CHARS_MAX = 100

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
