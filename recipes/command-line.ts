// Programs that people run in a terminal.

import type { Package, Recipe, RecipeFile } from './recipe.ts'

const fromNpm = (name: string, version: string): Package => ({ from: 'npm', name, version })

const DIMS_OF_KEY =
  "With a stored credential, the key's own dimensions apply: give each person or project a key of its own (`weir keys create --dim team=your-team`)."

const toCodexConfig = (headers: string): string => `model = "%MODEL%"
model_provider = "weir"

[model_providers.weir]
name = "Weir"
base_url = "%URL%"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
${headers}`

const GEMINI_SETTINGS = {
  path: '~/.gemini/settings.json',
  text: '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
}

const AIDER = `aider --model openai/%MODEL% --message 'Hello'`

const toAiderFile = (headers: string): RecipeFile => ({
  path: '~/.aider.model.settings.yml',
  text: `- name: aider/extra_params
  extra_params:
    stream_options:
      include_usage: true
${headers}`,
})

export const COMMAND_LINE_RECIPES: readonly Recipe[] = [
  {
    id: 'curl',
    title: 'curl',
    kind: 'command line',
    packages: [],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { WEIR_KEY: '%KEY%' },
      language: 'shell',
      text: `curl %URL%/chat/completions \\
  -H "X-SVC-API-Key: $WEIR_KEY" \\
  -H 'X-SVC-Dims: %DIMS%' \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"model":"%MODEL%","messages":[{"role":"user","content":"Hello"}]}'`,
    },
    stored: {
      variables: {},
      language: 'shell',
      text: `curl %URL%/chat/completions \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H 'X-SVC-Dims: %DIMS%' \\
  -H 'Content-Type: application/json' \\
  -d '{"model":"%MODEL%","messages":[{"role":"user","content":"Hello"}]}'`,
    },
    dims: "The header `X-SVC-Dims`. Without it, the key's own dimensions apply.",
    limits: [],
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    kind: 'command line',
    packages: [fromNpm('@anthropic-ai/claude-code', '2.1.326')],
    format: 'anthropic',
    provider: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    header: {
      variables: {
        ANTHROPIC_BASE_URL: '%URL%',
        ANTHROPIC_CUSTOM_HEADERS: 'X-SVC-API-Key: %KEY%\nX-SVC-Dims: %DIMS%',
      },
      language: 'shell',
      text: `claude -p 'Hello' --model %MODEL%`,
    },
    stored: {
      variables: { ANTHROPIC_BASE_URL: '%URL%' },
      language: 'shell',
      text: `claude -p 'Hello' --model %MODEL%`,
    },
    dims: `A second line of \`ANTHROPIC_CUSTOM_HEADERS\`, \`X-SVC-Dims: team=your-team\`. ${DIMS_OF_KEY}`,
    limits: [
      'With `ANTHROPIC_API_KEY` set, a subscription that one is signed in with is not used.',
      'It asks once whether to use the key of `ANTHROPIC_API_KEY`. `ANTHROPIC_AUTH_TOKEN` in its place is not asked about, and works as well.',
      'Where it looks for updates and sends telemetry is not the base URL: that does not go through Weir. `CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1` stops it.',
      'With `CLAUDE_CODE_USE_BEDROCK` and access keys of AWS it signs its requests for one host (SigV4): the signature is wrong at any other, and Weir does not sign.',
    ],
  },
  {
    id: 'codex',
    title: 'Codex',
    kind: 'command line',
    packages: [fromNpm('@openai/codex', '0.169.0')],
    format: 'responses',
    provider: 'openai',
    model: 'gpt-5.5',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { WEIR_KEY: '%KEY%', WEIR_DIMS: '%DIMS%' },
      file: {
        path: '~/.codex/config.toml',
        text: toCodexConfig(
          'env_http_headers = { "X-SVC-API-Key" = "WEIR_KEY"%[, "X-SVC-Dims" = "WEIR_DIMS"%] }\n',
        ),
      },
      language: 'shell',
      text: `codex exec --skip-git-repo-check 'Hello'`,
    },
    stored: {
      variables: {},
      file: { path: '~/.codex/config.toml', text: toCodexConfig('') },
      language: 'shell',
      text: `codex exec --skip-git-repo-check 'Hello'`,
    },
    dims: `\`X-SVC-Dims\` in \`env_http_headers\` takes them from a variable, in \`http_headers\` from the file. ${DIMS_OF_KEY}`,
    limits: [
      'The base URL is in its configuration, not in a variable.',
      'It speaks the Responses API only: providers that take nothing but chat do not work.',
      'Signed in with ChatGPT instead of a key, it calls an address of its own, past Weir.',
    ],
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    kind: 'command line',
    packages: [fromNpm('@google/gemini-cli', '0.61.0')],
    format: 'gemini',
    provider: 'google',
    keyVariable: 'GEMINI_API_KEY',
    header: {
      variables: {
        GOOGLE_GEMINI_BASE_URL: '%URL%',
        GEMINI_CLI_CUSTOM_HEADERS: 'X-SVC-API-Key: %KEY%%[, X-SVC-Dims: %DIMS%%]',
      },
      file: GEMINI_SETTINGS,
      language: 'shell',
      text: `gemini --model %MODEL% --prompt 'Hello'`,
    },
    stored: {
      variables: { GOOGLE_GEMINI_BASE_URL: '%URL%' },
      file: GEMINI_SETTINGS,
      language: 'shell',
      text: `gemini --model %MODEL% --prompt 'Hello'`,
    },
    dims: `\`X-SVC-Dims\` in \`GEMINI_CLI_CUSTOM_HEADERS\`, behind a comma. ${DIMS_OF_KEY}`,
    limits: [
      'Without that setting it stops with "Invalid auth method selected." as soon as the base URL is set.',
      'Signed in with a Google account instead of a key, it calls an address of its own, past Weir.',
    ],
  },
  {
    id: 'aider',
    title: 'aider',
    kind: 'command line',
    packages: [{ from: 'pip', name: 'aider-chat', version: '0.86.2' }],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_API_BASE: '%URL%' },
      file: toAiderFile(`    extra_headers:
      X-SVC-API-Key: %KEY%
      X-SVC-Dims: %DIMS%
`),
      language: 'shell',
      text: AIDER,
    },
    stored: {
      variables: { OPENAI_API_BASE: '%URL%' },
      file: toAiderFile(''),
      language: 'shell',
      text: AIDER,
    },
    dims: `The header \`X-SVC-Dims\` in the file beside the Weir key's, for all models. ${DIMS_OF_KEY}`,
    limits: [
      'aider does not ask for the usage of a stream by itself. Without `stream_options` in the file, Weir counts the tokens from the text, and the call is marked as estimated.',
      'With a header, the key is in a file, since aider takes headers from nowhere else: keep it out of repositories.',
    ],
  },
]
