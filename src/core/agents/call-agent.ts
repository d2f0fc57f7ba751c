// What a coding agent says of itself with a call. The few values that figures are asked by are
// facts among the call's dimensions, under names that no caller can give; the rest is a member of
// the event. All of it is the caller's word: it is shown and summed, and decides nothing.

export const AGENT_FACTS = {
  tool: '@tool',
  /** Its first number alone. */
  tool_version: '@tool_version',
  agent_kind: '@agent_kind',
  repository: '@repository',
} as const

export type AgentKind = 'main' | 'subagent'

/** Absent members were not said. A session belongs to its key: others may say the same text. */
export interface CallAgent {
  /** The whole of it, such as `2.1.197`. */
  readonly toolVersion?: string
  readonly session?: string
  /** Of a subagent, within its session. */
  readonly agent?: string
  readonly parentAgent?: string
  readonly device?: string
  readonly account?: string
  /** How often the SDK had sent this request before. */
  readonly retry?: number
}

/** Of a session's id and each other text; what is longer was not said. */
export const AGENT_TEXT_MAX = 255
