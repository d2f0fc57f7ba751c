// What the headers of a call say of the coding agent that makes it. Nothing of them changes, and no
// call is refused for them: what cannot be an id was not said. One reader for each caller's
// connection: what is the same as in its last call is not worked out again.

import { AGENT_FACTS, AGENT_TEXT_MAX } from '../core/agents/call-agent.ts'
import type { AgentKind, CallAgent } from '../core/agents/call-agent.ts'
import { LINE } from '../wire/http/header-lines.ts'
import type { HeaderLines } from '../wire/http/header-lines.ts'
import {
  RETRY_HEADER,
  SDK,
  SESSION_ENDING,
  SESSION_HEADER,
  SESSION_HEADERS,
  TOOLS,
  TURN_METADATA,
} from './tools.ts'
import type { Tool } from './tools.ts'
import { parseTurnMetadata } from './turn-metadata.ts'

export interface AgentReading {
  /** To be recorded with the call's dimensions. */
  readonly facts: Readonly<Record<string, string>>
  /** Undefined where nothing was said but, at most, the facts. */
  readonly agent: CallAgent | undefined
  /** Claude Code says the rest in its body. */
  readonly isClaude: boolean
}

export interface ReadOptions {
  readonly keepsRepository: boolean
  /** What is kept of the id of a session, a device or an account. */
  readonly toKept: (id: string) => string
}

export const NOTHING_READ: AgentReading = { facts: {}, agent: undefined, isClaude: false }

const USER_AGENT = 'user-agent'
/** More is no name of a tool and no id. */
const VALUE_BYTES_MAX = 16_384
const PRODUCT = /^([\w.-]{1,64})\/v?([\w.+-]{1,64})/
const MAJOR = /^\d{1,6}/
const ID = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const RETRY = /^[1-9]\d{0,2}$/

const WANTED: readonly string[] = [
  ...new Set([
    USER_AGENT,
    RETRY_HEADER,
    TURN_METADATA,
    ...SESSION_HEADERS,
    ...TOOLS.flatMap((tool) => [
      ...tool.session,
      ...(tool.agent ?? []),
      ...(tool.parentAgent ?? []),
      ...(tool.device ?? []),
    ]),
  ]),
]
const LENGTH_MAX = Math.max(...WANTED.map((name) => name.length))
const BY_LENGTH = Array.from({ length: LENGTH_MAX + 1 }, (_, length) =>
  WANTED.filter((name) => name.length === length),
)
const NONE: readonly string[] = []
/** Where a header of any other name that is called like a session's is put. */
const OTHER_SESSION = 'x-…-session-id'

type Values = ReadonlyMap<string, string>

export class AgentReader {
  readonly #options: ReadOptions
  #last: Values = new Map()
  #reading: AgentReading = NOTHING_READ

  constructor(options: ReadOptions) {
    this.#options = options
  }

  read(lines: HeaderLines): AgentReading {
    const values = collect(lines)
    if (isSame(values, this.#last)) return this.#reading
    this.#last = values
    this.#reading = values.size === 0 ? NOTHING_READ : toReading(values, this.#options)
    return this.#reading
  }
}

/** Of two headers with the same name the first counts. */
function collect(lines: HeaderLines): Values {
  const values = new Map<string, string>()
  for (let line = 0; line < lines.count; line++) {
    if (lines.kindOf(line) !== LINE.plain) continue
    const name = findName(lines, line)
    if (name === null || values.has(name)) continue
    if (lines.valueEndOf(line) - lines.valueStartOf(line) > VALUE_BYTES_MAX) continue
    values.set(name, lines.valueOf(line))
  }
  return values
}

function findName(lines: HeaderLines, line: number): string | null {
  for (const name of BY_LENGTH[lines.nameLengthOf(line)] ?? NONE) {
    if (lines.isNamed(line, name)) return name
  }
  if (!lines.isNameEnding(line, SESSION_ENDING)) return null
  return SESSION_HEADER.test(lines.nameOf(line)) ? OTHER_SESSION : null
}

function isSame(values: Values, last: Values): boolean {
  if (values.size !== last.size) return false
  for (const [name, value] of values) if (last.get(name) !== value) return false
  return true
}

function toReading(values: Values, { keepsRepository, toKept }: ReadOptions): AgentReading {
  const { tool, row, version } = findTool(values.get(USER_AGENT) ?? '')
  const turn = row?.tool === 'codex' ? parseTurnMetadata(values.get(TURN_METADATA) ?? '') : null
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => toId(values.get(name))).find((id) => id !== undefined)
  const session = first([...(row?.session ?? []), OTHER_SESSION, ...SESSION_HEADERS])
  const subagent = first(row?.agent ?? [])
  const parentAgent = first(row?.parentAgent ?? [])
  const device = toId(turn?.device) ?? first(row?.device ?? [])
  const retry = values.get(RETRY_HEADER) ?? ''
  const isSubagent = subagent !== undefined || parentAgent !== undefined
  const kind: AgentKind | null =
    row?.saysKind !== true || session === undefined ? null : isSubagent ? 'subagent' : 'main'
  const repository = keepsRepository ? (toId(turn?.repository) ?? null) : null
  const major = MAJOR.exec(version ?? '')?.[0]
  return {
    facts: {
      ...(tool !== null && { [AGENT_FACTS.tool]: tool }),
      ...(tool !== null && major !== undefined && { [AGENT_FACTS.tool_version]: major }),
      ...(kind !== null && { [AGENT_FACTS.agent_kind]: kind }),
      ...(repository !== null && { [AGENT_FACTS.repository]: repository }),
    },
    agent: orNothing({
      ...(tool !== null && version !== undefined && { toolVersion: version }),
      ...(session !== undefined && { session: toKept(session) }),
      ...withId('agent', toId(turn?.agent) ?? subagent),
      ...withId('parentAgent', parentAgent),
      ...(device !== undefined && { device: toKept(device) }),
      ...(RETRY.test(retry) && { retry: Number(retry) }),
    }),
    isClaude: row?.tool === 'claude-code',
  }
}

interface FoundTool {
  readonly tool: string | null
  readonly row: Tool | null
  readonly version?: string | undefined
}

function findTool(userAgent: string): FoundTool {
  const [, library, language, libraryVersion] = SDK.exec(userAgent) ?? []
  if (library !== undefined && language !== undefined) {
    const tool = `${library}-${language}`.toLowerCase()
    return { tool, row: null, version: libraryVersion }
  }
  const [, product = '', version] = PRODUCT.exec(userAgent) ?? []
  const row = TOOLS.find((each) => each.product.test(product)) ?? null
  return { tool: row?.tool ?? null, row, version }
}

/** A text that can be shown and searched for as it stands; undefined for any other. */
export function toId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > AGENT_TEXT_MAX) return undefined
  return ID.test(value) ? value : undefined
}

function withId(name: 'agent' | 'parentAgent', id: string | undefined): CallAgent {
  return id === undefined ? {} : { [name]: id }
}

function orNothing(agent: CallAgent): CallAgent | undefined {
  for (const _ in agent) return agent
  return undefined
}
