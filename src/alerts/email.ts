// Delivers an alert by e-mail. Must stay true: repeats have one Message-ID, so mailboxes know them.

import type { Alert, AlertTarget } from '../core/alert.ts'
import { toAlertText } from './alert-text.ts'
import { toMailServer } from '../core/mail-address.ts'
import type { SendOutcome } from './webhook.ts'

export interface MailSettings {
  /** `smtp://…` or `smtps://…` */
  readonly url?: string | undefined
  readonly from?: string | undefined
}

export interface MailOptions {
  readonly settings: MailSettings
  readonly timeLimitMs: number
  /** Cuts it off: the promise is rejected. */
  readonly signal: AbortSignal
}

const DETAIL_CHARACTERS_MAX = 300
const NOT_CONFIGURED =
  'there is no mail server; set alerts.smtp.url and alerts.smtp.from in the configuration'

export async function sendMail(
  alert: Alert,
  target: AlertTarget,
  { settings, timeLimitMs, signal }: MailOptions,
): Promise<SendOutcome> {
  const server = settings.url === undefined ? null : toMailServer(settings.url)
  const { from } = settings
  if (server === null || from === undefined) return { kind: 'failed', detail: NOT_CONFIGURED }
  // Few installations send mail; the others should not wait for the library to load.
  const { createTransport } = await import('nodemailer')
  const { host, port, isTls, credentials } = server
  const transport = createTransport({
    host,
    ...(port === null ? {} : { port }),
    secure: isTls,
    ...(credentials === null
      ? {}
      : { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: timeLimitMs,
    greetingTimeout: timeLimitMs,
    socketTimeout: timeLimitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const limit = AbortSignal.timeout(timeLimitMs)
  try {
    const sent = await orAborted(transport.sendMail(toMail(alert, target, from)), [signal, limit])
    return { kind: 'delivered', detail: toLine(sent.response) }
  } catch (error) {
    signal.throwIfAborted()
    const isLate = limit.aborted
    const detail = isLate ? `no answer within ${timeLimitMs / 1000} s` : toLine(String(error))
    return { kind: 'failed', detail }
  } finally {
    transport.close()
  }
}

function toMail(alert: Alert, target: AlertTarget, from: string) {
  const { title, paragraph, details, callsUrl } = toAlertText(alert)
  const lines = [
    ...details,
    ...(callsUrl === null ? [] : [`Its calls in the console: ${callsUrl}`]),
  ]
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    from: { name: 'Weir', address: from },
    to: { name: '', address: target.address },
    subject: title,
    date: new Date(alert.at),
    text: [paragraph, ...(lines.length === 0 ? [] : ['', ...lines]), '', alert.id, ''].join('\n'),
    messageId: `<${alert.id}.${target.id}@${domain}>`,
    // RFC 3834: no holiday notice is sent in return.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** The library cannot cancel a mail: the rest ends by its own time limits. */
async function orAborted<T>(work: Promise<T>, signals: readonly AbortSignal[]): Promise<T> {
  const ends = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    for (const signal of signals) {
      const cut = (): void => reject(signal.reason as Error)
      if (signal.aborted) cut()
      signal.addEventListener('abort', cut, { signal: ends.signal })
    }
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    ends.abort()
  }
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, DETAIL_CHARACTERS_MAX)
}
