// Applications with a window of their own, after their documentation: nothing here can be run
// without a desktop, an account or a container, so nobody of this project has.

import type { Recipe, Way } from './recipe.ts'

const DIMS_OF_KEY =
  "The key's own dimensions: give each team or installation a key of its own (`weir keys create --dim team=your-team`)."

const toText = (text: string): Way => ({ variables: {}, language: 'text', text })

const COMMON = {
  kind: 'application',
  packages: [],
  format: 'openai',
  provider: 'openai',
  keyVariable: 'OPENAI_API_KEY',
} as const

export const APPLICATION_RECIPES: readonly Recipe[] = [
  {
    ...COMMON,
    id: 'continue',
    title: 'Continue',
    header: {
      variables: {},
      file: {
        path: '~/.continue/config.yaml',
        text: `name: Weir
version: 1.0.0
schema: v1
models:
  - name: %MODEL%
    provider: openai
    model: %MODEL%
    apiBase: %URL%
    apiKey: your own key at the provider
    requestOptions:
      headers:
        X-SVC-API-Key: %KEY%
        X-SVC-Dims: %DIMS%
`,
      },
      language: 'text',
      text: 'Open the editor again, and choose the model in the panel of Continue.',
    },
    stored: {
      variables: {},
      file: {
        path: '~/.continue/config.yaml',
        text: `name: Weir
version: 1.0.0
schema: v1
models:
  - name: %MODEL%
    provider: openai
    model: %MODEL%
    apiBase: %URL%
    apiKey: %KEY%
`,
      },
      language: 'text',
      text: 'Open the editor again, and choose the model in the panel of Continue.',
    },
    dims: `\`X-SVC-Dims\` among the headers; or ${DIMS_OF_KEY.replace('The', 'the')}`,
    limits: ['The key is in a file of the home folder, readable by its owner.'],
  },
  {
    ...COMMON,
    id: 'cursor',
    title: 'Cursor',
    header: { whyNot: 'Cursor has no setting for headers.' },
    stored: toText(`Cursor Settings → Models → API Keys

OpenAI API Key:             %KEY%
Override OpenAI Base URL:   %URL%`),
    dims: DIMS_OF_KEY,
    limits: [
      "Cursor's own servers make the call: Weir must be reachable from the Internet, by HTTPS. An address of your network does not work.",
      'Only chat with models under your own key comes this way. Tab completion and what Cursor bills itself does not.',
    ],
  },
  {
    ...COMMON,
    id: 'n8n',
    title: 'n8n',
    header: toText(`Credentials → OpenAI

API Key:             your own key at the provider
Base URL:            %URL%
Add Custom Header:   on
Header Name:         X-SVC-API-Key
Header Value:        %KEY%`),
    stored: toText(`Credentials → OpenAI

API Key:    %KEY%
Base URL:   %URL%`),
    dims: DIMS_OF_KEY,
    limits: ['One header of your own per credential: `X-SVC-Dims` does not fit beside the key.'],
  },
  {
    ...COMMON,
    id: 'open-webui',
    title: 'Open WebUI',
    header: toText(`Admin Panel → Settings → Connections → OpenAI API → Add Connection

URL:       %URL%
API Key:   your own key at the provider
Headers:   {"X-SVC-API-Key": "%KEY%"%[, "X-SVC-Dims": "%DIMS%"%]}`),
    stored: {
      variables: { OPENAI_API_BASE_URL: '%URL%' },
      language: 'shell',
      text: 'open-webui serve',
    },
    dims: `\`X-SVC-Dims\` among the headers of the connection; or ${DIMS_OF_KEY.replace('The', 'the')}`,
    limits: [
      'People share one connection, and so one key: Weir cannot tell them apart by it.',
      'The variables are read at the first start only; later the settings of the Admin Panel win.',
    ],
  },
]
