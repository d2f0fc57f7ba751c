// What Codex says of a turn, as JSON in a header.

import { parseObject } from './claude-user.ts'

export interface TurnMetadata {
  readonly device: unknown
  readonly agent: unknown
  /** Without scheme, credentials and ending: `github.com/acme/shop`. */
  readonly repository: string | null
}

const CHARACTERS_MAX = 16_384

export function parseTurnMetadata(text: string): TurnMetadata {
  const json = text.length > CHARACTERS_MAX ? {} : parseObject(text)
  const { installation_id: device, agent_name: agent, workspaces } = json
  return { device, agent, repository: findRepository(workspaces) }
}

/** Of the first workspace that has a remote. */
function findRepository(workspaces: unknown): string | null {
  if (!isObject(workspaces)) return null
  for (const workspace of Object.values(workspaces)) {
    const remotes = isObject(workspace) ? workspace['associated_remote_urls'] : null
    const origin = isObject(remotes) ? remotes['origin'] : null
    const name = typeof origin === 'string' ? toRepositoryName(origin) : null
    if (name !== null) return name
  }
  return null
}

const SCP = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/)(\S+)$/
const URL_LIKE = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^@/\s]*@)?([\w.-]+)(?::\d+)?\/(\S+)$/i

/** A remote may have a password in it: only host and path are taken over. */
export function toRepositoryName(remote: string): string | null {
  const [, host, path] = URL_LIKE.exec(remote) ?? SCP.exec(remote) ?? []
  if (host === undefined || path === undefined) return null
  const name = `${host.toLowerCase()}/${path.replace(/[?#].*$/, '').replace(/(?:\.git)?\/*$/, '')}`
  return name.includes('@') ? null : name
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
