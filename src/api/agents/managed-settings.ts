// GET /managed/settings: what Claude Code is to keep to, by the team of who signed in. The operator
// writes a file for each team. Its checksum is what the client computes of the settings it has.

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ApiKey } from '../../core/api-key.ts'
import { describeError } from '../answer-error.ts'
import { json, messagesError } from './agent-answers.ts'
import type { AgentRequest } from './agent-request.ts'

const FILE_BYTES_MAX = 262_144
const DEFAULT_FILE = 'default.json'

export async function answerManagedSettings(
  { context, services, agents }: AgentRequest,
  key: ApiKey,
): Promise<Response> {
  const { teamDirectory, log } = services
  const team = (await teamDirectory.read()).byId.get(key.teamId ?? '')
  const names = [...(team === undefined ? [] : [`${team.slug}.json`]), DEFAULT_FILE]
  for (const name of names) {
    const file = agents.managedSettings === null ? null : path.join(agents.managedSettings, name)
    try {
      const settings = file === null ? null : await readSettings(file)
      if (settings !== null) return answerSettings(settings, context.req.header('if-none-match'))
    } catch (error) {
      log.error({ file, error: describeError(error) }, 'Managed settings cannot be used')
      const message = 'The managed settings of this gateway cannot be read. Tell its operator.'
      return messagesError({ status: 500, type: 'api_error', message })
    }
  }
  const message = 'There are no managed settings here.'
  return messagesError({ status: 404, type: 'not_found_error', message })
}

/** Null where there is no such file. */
async function readSettings(file: string): Promise<object | null> {
  try {
    const { size } = await stat(file)
    if (size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`)
    const settings: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) {
      return settings
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  throw new Error('it is not one JSON object')
}

function answerSettings(settings: object, ifNoneMatch: string | undefined): Response {
  const checksum = checksumOf(settings)
  const headers = { ETag: `"${checksum}"` }
  const known = ifNoneMatch?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? []
  // `*` asks whether there are any, and is answered with them.
  if (known.includes(headers.ETag)) {
    return new Response(null, { status: 304, headers: { ...headers, 'Cache-Control': 'no-store' } })
  }
  return json({ uuid: toUuid(checksum), checksum, settings }, headers)
}

/** Of the JSON with sorted keys at each level and no blanks. */
export function checksumOf(settings: object): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(sorted(settings)))
    .digest('hex')}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]))
}

/** The same for the same settings: version 8 is for uses of one's own (RFC 9562). */
function toUuid(checksum: string): string {
  const [a, b, c, d, e] = [0, 8, 12, 16, 20].map((at, index) =>
    checksum.slice(7 + at, 7 + at + [8, 4, 4, 4, 12][index]!),
  ) as [string, string, string, string, string]
  return `${a}-${b}-8${c.slice(1)}-8${d.slice(1)}-${e}`
}
