// The settings of coding agents, a part of schema.ts.

import { z } from 'zod'
import type { ConfigFault } from '../config-error.ts'
import { CLAUDE_PROVIDER } from '../../providers/directory.ts'
import { isPlainUrl } from '../sign-in-urls.ts'
import { section, text } from './parts.ts'

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/
const TEXT_CHARACTERS_MAX = 2048

const agentSignIn = section({
  claude: z.enum(['on', 'off']).default('off').meta({
    description:
      "Whether people sign in from Claude Code without a key, at the proxy's URL with `/claude` behind it. See [Claude Code signs in](agents/claude-sign-in.md).",
  }),
  provider: z.string().regex(PROVIDER_ID).default(CLAUDE_PROVIDER).meta({
    description:
      'The provider that their calls go to, with its stored credential. It takes the Messages API as it is.',
    allowed: 'the id of a provider with a stored credential',
  }),
  apiUrl: text(isPlainUrl, {
    description:
      'Where a proxy on a machine without an API reaches one, for signing in. Name the proxies in `api.trustedProxies`, and set `proxy.publicUrl` and `console.publicUrl`.',
    allowed: 'an http:// or https:// URL such as http://weir-api.example.com:7071',
  }).optional(),
})

export const agents = section({
  signIn: agentSignIn,
  managedSettings: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .refine((path) => !path.includes('\0'))
    .meta({
      description:
        "A folder with settings that Claude Code gets when somebody has signed in: `<team>.json`, by the team's short name, and `default.json` for all others. Each holds what a `managed-settings.json` does. It is read by the API, at each request.",
      allowed: 'the path of a folder',
    })
    .optional(),
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
