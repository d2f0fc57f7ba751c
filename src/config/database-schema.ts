// The settings of the databases, a part of schema.ts.

import { z } from 'zod'
import { section } from './schema-parts.ts'

const URL_CHARACTERS_MAX = 2048
const ALLOWED =
  'a URL such as postgres://user:password@db.example.com:5432/weir?sslmode=verify-full'

/** The parameters after `?` are checked where the database is opened. */
export function isDatabaseUrl(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || /\s/.test(text)) return false
  if (!/^postgres(?:ql)?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { username, pathname, hash } = new URL(text)
  return username !== '' && pathname.length > 1 && hash === ''
}

function databaseUrl(description: string) {
  return z
    .string()
    .refine(isDatabaseUrl)
    .meta({ description, allowed: ALLOWED, isSecret: true })
    .optional()
}

export const settings = section({
  url: databaseUrl(
    'The PostgreSQL database (15 or newer) of the settings, shared by all nodes. If unset, they are a SQLite file in `dataDir`. Its tables are made by `weir migrate`.',
  ),
})

export const usage = section({
  url: databaseUrl(
    'The PostgreSQL database of recorded calls and their sums. If unset, it is the one of `settings.url`.',
  ),
})
