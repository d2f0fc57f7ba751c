// The settings of coding agents, a part of schema.ts.

import { z } from 'zod'
import type { ConfigFault } from '../config-error.ts'
import { section } from './parts.ts'

export const agents = section({
  sessions: z.enum(['on', 'hashed', 'off']).default('on').meta({
    description:
      'What is read of coding agents in the headers and bodies of calls, for the record alone: their tool, session, subagent, device and account. `hashed` keeps hashes of the ids, `off` reads nothing.',
  }),
  salt: z.string().min(16).max(1024).optional().meta({
    description:
      'A secret text that these hashes are made with, the same on all nodes, such as what `openssl rand -hex 32` prints. With another one every session is a new one.',
    allowed: 'at least 16 characters',
    isSecret: true,
  }),
  repository: z.enum(['on', 'off']).default('off').meta({
    description:
      'Whether the git remote that a coding agent sends is kept, as `host/path`. It is personal data in many places.',
  }),
})

/** Hashes without a secret could be undone by trying out addresses and ids. */
export function checkAgents({ agents: { sessions, salt } }: Checked): ConfigFault[] {
  if (sessions !== 'hashed' || salt !== undefined) return []
  const text =
    'is hashed without agents.salt; write the same text of 16 characters or more on all nodes'
  return [{ subject: 'agents.sessions', origin: '', text }]
}

interface Checked {
  readonly agents: z.output<typeof agents>
}
