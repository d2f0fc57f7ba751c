// What is read of coding agents in one worker: from the headers of each call, and where Claude Code
// says it nowhere else from the body of the first call of a session. Must stay true: what is kept
// of sessions is bounded, and a session is its key's alone.

import { createHmac } from 'node:crypto'

import { AGENT_FACTS } from '../core/agents/call-agent.ts'
import type { AgentKind, CallAgent } from '../core/agents/call-agent.ts'
import { parseClaudeUser } from './claude-user.ts'
import { AgentReader, toId } from './read-agent.ts'
import type { AgentReading, ReadOptions } from './read-agent.ts'

export interface AgentOptions {
  readonly sessions: 'on' | 'hashed'
  /** For hashing; the same on all nodes. */
  readonly salt: string
  readonly keepsRepository: boolean
}

type Ids = Pick<CallAgent, 'device' | 'account'>

export interface BodyAgent {
  readonly facts: Readonly<Record<string, string>>
  readonly agent: CallAgent
}

/** Sessions, and hashes. */
const KEPT_MAX = 1000
const HASH_CHARACTERS = 32

export class Agents {
  readonly #options: ReadOptions
  /** By key and session; the one that was asked for longest ago goes first. */
  readonly #known = new Map<string, Ids>()
  readonly #hashes = new Map<string, string>()

  constructor({ sessions, salt, keepsRepository }: AgentOptions) {
    const toKept = sessions === 'on' ? (id: string) => id : (id: string) => this.#hash(id, salt)
    this.#options = { keepsRepository, toKept }
  }

  createReader(): AgentReader {
    return new AgentReader(this.#options)
  }

  /** With what an earlier call of the session said in its body; null: this one's is to be read. */
  complete({ agent, isClaude }: AgentReading, keyId: string): CallAgent | undefined | null {
    if (!isClaude) return agent
    if (agent?.session === undefined) return null
    const name = toName(keyId, agent.session)
    const ids = this.#known.get(name)
    if (ids === undefined) return null
    remember(this.#known, name, ids)
    return { ...ids, ...agent }
  }

  /** `user` is the body's `metadata.user_id`, `head` the first text of its system prompt. */
  readBody(said: AgentReading, keyId: string, { user, head }: BodyTexts): BodyAgent | null {
    const parsed = typeof user === 'string' ? parseClaudeUser(user) : null
    const [device, account, bodySession] = [parsed?.device, parsed?.account, parsed?.session].map(
      (text) => this.#toKept(text),
    )
    const ids = {
      ...(device !== undefined && { device }),
      ...(account !== undefined && { account }),
    }
    const session = said.agent?.session
    // Without a user as well: the next body would be read in vain.
    if (session !== undefined) remember(this.#known, toName(keyId, session), ids)
    if (parsed === null) return null
    // Versions that say the session in a header say there which agent it is, too.
    const isSubagent = typeof head === 'string' && /\bcc_is_subagent=true\b/.test(head)
    const kind: AgentKind = isSubagent ? 'subagent' : 'main'
    return {
      facts: session === undefined ? { [AGENT_FACTS.agent_kind]: kind } : {},
      agent: { ...ids, ...(bodySession !== undefined && { session: bodySession }), ...said.agent },
    }
  }

  #toKept(text: string | undefined): string | undefined {
    const id = toId(text)
    return id === undefined ? undefined : this.#options.toKept(id)
  }

  #hash(id: string, salt: string): string {
    const known = this.#hashes.get(id)
    const hash =
      known ?? createHmac('sha256', salt).update(id).digest('hex').slice(0, HASH_CHARACTERS)
    remember(this.#hashes, id, hash)
    return hash
  }
}

export interface BodyTexts {
  readonly user: unknown
  readonly head: unknown
}

/** No id of a key has a blank. */
function toName(keyId: string, session: string): string {
  return `${keyId} ${session}`
}

/** As the newest; the oldest goes where there is no room. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > KEPT_MAX) for (const oldest of map.keys()) return void map.delete(oldest)
}
