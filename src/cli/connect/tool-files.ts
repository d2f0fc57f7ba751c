// What each coding agent reads of its settings, and what has to stand there for its calls to go
// through Weir. The rest of a file stays as it is.

import path from 'node:path'

export const TOOL_NAMES = ['claude', 'codex', 'gemini', 'opencode'] as const
export type ToolName = (typeof TOOL_NAMES)[number]

export interface Connection {
  /** Of the proxy, without a slash at the end. */
  readonly proxy: string
  /** A whole Weir key. */
  readonly key: string
  /** It stands in the place of the provider's: Weir puts the stored one there. */
  readonly isStored: boolean
}

export interface ToolFile {
  readonly path: string
  /** From what stands there, empty for no file. Throws where that cannot be read. */
  readonly change: (text: string) => string
}

export interface ConnectedTool {
  readonly title: string
  /** Where the provider's own key stays. */
  readonly variable: string
  /** For a file in a folder of the tool's own. */
  readonly listFiles: (folders: ToolFolders, connection: Connection) => readonly ToolFile[]
  /** What is to be set in the shell as well. */
  readonly exports?: (connection: Connection) => Readonly<Record<string, string>>
}

export interface ToolFolders {
  readonly home: string
  readonly claude: string | undefined
  readonly codex: string | undefined
  readonly config: string | undefined
}

const HEADER = 'X-SVC-API-Key'

export const TOOLS: Readonly<Record<ToolName, ConnectedTool>> = {
  claude: {
    title: 'Claude Code',
    variable: 'ANTHROPIC_API_KEY',
    listFiles: ({ home, claude = path.join(home, '.claude') }, { proxy, key, isStored }) => [
      {
        path: path.join(claude, 'settings.json'),
        change: (text) =>
          mergeJson(text, {
            env: {
              ANTHROPIC_BASE_URL: `${proxy}/v1/anthropic`,
              ...(isStored
                ? { ANTHROPIC_AUTH_TOKEN: key }
                : { ANTHROPIC_CUSTOM_HEADERS: `${HEADER}: ${key}` }),
            },
          }),
      },
    ],
  },
  codex: {
    title: 'Codex',
    variable: 'OPENAI_API_KEY',
    listFiles: ({ home, codex = path.join(home, '.codex') }, { proxy, key, isStored }) => [
      {
        path: path.join(codex, 'config.toml'),
        change: (text) =>
          toCodexConfig(text, [
            'name = "Weir"',
            `base_url = "${proxy}/v1/openai/v1"`,
            `env_key = "${isStored ? 'WEIR_KEY' : 'OPENAI_API_KEY'}"`,
            'wire_api = "responses"',
            ...(isStored ? [] : [`http_headers = { "${HEADER}" = "${key}" }`]),
          ]),
      },
    ],
    exports: ({ key, isStored }): Readonly<Record<string, string>> =>
      isStored ? { WEIR_KEY: key } : {},
  },
  gemini: {
    title: 'Gemini CLI',
    variable: 'GEMINI_API_KEY',
    listFiles: ({ home }, { proxy, key, isStored }) => [
      {
        path: path.join(home, '.gemini', '.env'),
        change: (text) =>
          setVariables(text, {
            GOOGLE_GEMINI_BASE_URL: `${proxy}/v1/google`,
            ...(isStored
              ? { GEMINI_API_KEY: key }
              : { GEMINI_CLI_CUSTOM_HEADERS: `${HEADER}: ${key}` }),
          }),
      },
      {
        path: path.join(home, '.gemini', 'settings.json'),
        change: (text) =>
          mergeJson(text, { security: { auth: { selectedType: 'gemini-api-key' } } }),
      },
    ],
  },
  opencode: {
    title: 'opencode',
    variable: 'ANTHROPIC_API_KEY or OPENAI_API_KEY',
    listFiles: ({ home, config = path.join(home, '.config') }, { proxy, key, isStored }) => [
      {
        path: path.join(config, 'opencode', 'opencode.json'),
        change: (text) =>
          mergeJson(text, {
            provider: Object.fromEntries(
              ['anthropic', 'openai'].map((provider) => [
                provider,
                {
                  options: {
                    baseURL: `${proxy}/v1/${provider}/v1`,
                    ...(isStored ? { apiKey: key } : { headers: { [HEADER]: key } }),
                  },
                },
              ]),
            ),
          }),
      },
    ],
  },
}

type Json = { readonly [name: string]: Json | string }

/** Objects are merged, all else of ours wins. Throws where the text is no JSON object. */
export function mergeJson(text: string, ours: Json): string {
  const own: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (!isObject(own)) throw new SyntaxError('It holds no JSON object.')
  return `${JSON.stringify(merge(own, ours), null, 2)}\n`
}

function merge(own: Readonly<Record<string, unknown>>, ours: Json): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...own }
  for (const [name, value] of Object.entries(ours)) {
    const known = merged[name]
    merged[name] = typeof value === 'string' ? value : merge(isObject(known) ? known : {}, value)
  }
  return merged
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const TABLE = /^\s*\[/
const OUR_TABLE = /^\s*\[model_providers\.weir(?:\.|\])/
const CHOICE = /^\s*model_provider\s*=/

/** Its own tables stay in their order; the choice of a provider has to stand before the first. */
export function toCodexConfig(text: string, lines: readonly string[]): string {
  const kept: string[] = []
  let isOurs = false
  let isTop = true
  for (const line of text.trimEnd().split('\n')) {
    if (TABLE.test(line)) {
      isOurs = OUR_TABLE.test(line)
      isTop = false
    }
    if (!isOurs && !(isTop && CHOICE.test(line))) kept.push(line)
  }
  const rest = kept.join('\n').trim()
  const table = ['[model_providers.weir]', ...lines].join('\n')
  return ['model_provider = "weir"', ...(rest === '' ? ['', table] : [rest, '', table]), ''].join(
    '\n',
  )
}

export function setVariables(text: string, ours: Readonly<Record<string, string>>): string {
  const kept = text
    .split('\n')
    .filter((line) => !Object.keys(ours).some((name) => line.trimStart().startsWith(`${name}=`)))
  const own = Object.entries(ours).map(([name, value]) => `${name}='${value}'`)
  return [...kept.join('\n').trimEnd().split('\n').filter(Boolean), ...own, ''].join('\n')
}
