// The settings of the databases, a part of schema.ts.

import { section, text } from './parts.ts'
import { isClickhouseUrl } from '../database-url.ts'

const URL_CHARACTERS_MAX = 2048
const ALLOWED =
  'a URL such as postgres://user:password@db.example.com:5432/weir?sslmode=verify-full'

/** The parameters after `?` are checked where the database is opened. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text) && isWholeUrl(text)
}

function isUsageUrl(text: string): boolean {
  return isDatabaseUrl(text) || (isClickhouseUrl(text) && isWholeUrl(text))
}

function isWholeUrl(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || /\s/.test(text) || !URL.canParse(text)) return false
  const { username, pathname, hash } = new URL(text)
  return username !== '' && pathname.length > 1 && hash === ''
}

export const settings = section({
  url: text(isDatabaseUrl, {
    description:
      'The PostgreSQL database (15 or newer) of the settings, shared by all nodes. If unset, they are a SQLite file in `dataDir`. Its tables are made by `weir migrate`.',
    allowed: ALLOWED,
    isSecret: true,
  }).optional(),
})

export const usage = section({
  url: text(isUsageUrl, {
    description:
      'The PostgreSQL database of recorded calls and their sums; or the ClickHouse database of the calls, whose sums are then in the one of `settings.url`. If unset, it is the one of `settings.url`.',
    allowed: `${ALLOWED}, or clickhouse://user:password@ch.example.com:8123/weir`,
    isSecret: true,
  }).optional(),
})
