// E-mail addresses, and the URL of the mail server. Must stay true: an address that passes has one
// recipient and nothing that a header or the server could read as more.

const MAIL_CHARACTERS_MAX = 254
const URL_CHARACTERS_MAX = 2048
const MAIL_ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

export function isMailAddress(text: string): boolean {
  return text.length <= MAIL_CHARACTERS_MAX && MAIL_ADDRESS.test(text)
}

export interface MailServer {
  readonly host: string
  /** Null for the usual one. */
  readonly port: number | null
  readonly isTls: boolean
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** Null if invalid, also with a query: the mail library takes options from it that weaken TLS. */
export function toMailServer(text: string): MailServer | null {
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text) || /[?#\s\\]/.test(text)) return null
  const { protocol, hostname, port, pathname, username, password } = new URL(text)
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return null
  const credentials = readCredentials(username, password)
  if (hostname === '' || !/^\/?$/.test(pathname) || credentials === undefined) return null
  return {
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? null : Number(port),
    isTls: protocol === 'smtps:',
    credentials,
  }
}

/** Null for none, undefined when they cannot be read. */
function readCredentials(user: string, password: string): MailServer['credentials'] | undefined {
  if (user === '' && password === '') return null
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) }
  } catch {
    // A literal percent sign and one that begins a byte look the same.
    return undefined
  }
}

/** Whether there is a server to give mail to, and an address that it is from. */
export function canMail(smtp: {
  readonly url?: string | undefined
  readonly from?: string | undefined
}) {
  return smtp.url !== undefined && smtp.from !== undefined
}
