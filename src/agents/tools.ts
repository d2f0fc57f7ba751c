// The tools that are known by what they send, a row each. What else sends the id of a session in a
// header that is called so is taken at its word too.

export interface Tool {
  readonly tool: string
  /** What stands before the slash of its User-Agent. */
  readonly product: RegExp
  /** Headers, in lower case; the first that has a value counts. */
  readonly session: readonly string[]
  readonly agent?: readonly string[]
  readonly parentAgent?: readonly string[]
  readonly device?: readonly string[]
  /** It says which calls are a subagent's, so the others are known to be the main agent's. */
  readonly saysKind?: true
}

/** JSON that Codex sends in a header. */
export const TURN_METADATA = 'x-codex-turn-metadata'

const OF_CLAUDE = 'x-claude-code'

export const TOOLS: readonly Tool[] = [
  {
    tool: 'claude-code',
    product: /^claude-cli$/,
    session: [`${OF_CLAUDE}-session-id`],
    agent: [`${OF_CLAUDE}-agent-id`],
    parentAgent: [`${OF_CLAUDE}-parent-agent-id`],
    saysKind: true,
  },
  {
    tool: 'codex',
    product: /^codex_\w+$/,
    session: ['session-id', 'session_id', 'thread-id'],
    agent: ['x-openai-subagent'],
    saysKind: true,
  },
  {
    tool: 'gemini-cli',
    product: /^GeminiCLI(?:-\w+)?$/,
    session: [],
    device: ['x-gemini-api-privileged-user-id'],
  },
  {
    tool: 'opencode',
    product: /^opencode$/,
    session: ['x-session-id', 'x-session-affinity'],
    // A subagent has a session of its own, and says in which one it was begun.
    parentAgent: ['x-parent-session-id'],
    saysKind: true,
  },
]

/** `OpenAI/Python 2.1.0`, `AsyncAnthropic/JS 0.60.0`: libraries, which have no sessions. */
export const SDK =
  /^(?:Async)?(?:Azure)?(OpenAI|Anthropic)\/(Python|JS|Go|Java|Kotlin|Ruby|PHP) ([\w.+-]+)/

/** Of tools that are not known, from the plainest name on. */
export const SESSION_HEADERS = [
  'x-session-id',
  'x-session-affinity',
  'session-id',
  'session_id',
  'thread-id',
  'conversation_id',
] as const
/** And of any other name: `x-…-session-id`. The parent's session is not the call's. */
export const SESSION_ENDING = '-session-id'
export const SESSION_HEADER = /^x-(?!parent).+-session-id$/
export const RETRY_HEADER = 'x-stainless-retry-count'
