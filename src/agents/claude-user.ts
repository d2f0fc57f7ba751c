// Claude Code's `metadata.user_id`: one text that holds three ids. The session in it makes it
// another one with each session, so by itself it is no user.

export interface ClaudeUser {
  readonly device: string
  /** Empty with an API key. */
  readonly account: string
  readonly session: string
}

const OLDER = /^user_([0-9a-f]+)_account_([0-9a-f-]*)_session_([0-9a-f-]+)$/

/** Null for any other text: other clients say a user there. */
export function parseClaudeUser(text: string): ClaudeUser | null {
  const older = OLDER.exec(text)
  if (older !== null) {
    const [, device = '', account = '', session = ''] = older
    return { device, account, session }
  }
  if (!text.startsWith('{')) return null
  const json = parseObject(text)
  const { device_id: device, account_uuid: account = '', session_id: session } = json
  if (typeof device !== 'string' || typeof session !== 'string') return null
  return { device, account: typeof account === 'string' ? account : '', session }
}

/** Empty where it is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
