// Frameworks for JavaScript that call several providers.

import type { Package, Recipe } from './recipe.ts'

const fromNpm = (name: string, version: string): Package => ({ from: 'npm', name, version })

const DIMS_OF_KEY =
  "With a stored credential, the key's own dimensions apply (`weir keys create --dim team=your-team`), or the header `X-SVC-Dims` is sent alone."

const HEADERS = `{
    'X-SVC-API-Key': process.env.WEIR_KEY,
    'X-SVC-Dims': '%DIMS%',
  }`

const toAiSdk = (option: string): string => `import { createGateway, generateText } from 'ai'

const gateway = createGateway({
  baseURL: '%URL%',${option}
})

const { text } = await generateText({
  model: gateway('%MODEL%'),
  prompt: 'Hello',
})
console.log(text)`

const toLangchain = (options: string): string => `import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: '%MODEL%',
  configuration: {
    baseURL: process.env.OPENAI_BASE_URL,${options}
  },
})

const answer = await model.invoke('Hello')
console.log(answer.content)`

const LANGCHAIN_HEADERS = `
    defaultHeaders: {
      'X-SVC-API-Key': process.env.WEIR_KEY,
      'X-SVC-Dims': '%DIMS%',
    },`

export const JAVASCRIPT_FRAMEWORK_RECIPES: readonly Recipe[] = [
  {
    id: 'ai-sdk',
    title: 'AI SDK',
    kind: 'library',
    packages: [fromNpm('ai', '7.0.169')],
    format: 'gateway',
    provider: 'gateway',
    keyVariable: 'AI_GATEWAY_API_KEY',
    header: {
      variables: { WEIR_KEY: '%KEY%' },
      language: 'js',
      text: toAiSdk(`\n  headers: ${HEADERS},`),
    },
    stored: { variables: {}, language: 'js', text: toAiSdk('') },
    dims: `The header \`X-SVC-Dims\` beside the Weir key's, for every call of a client, or for single calls: \`generateText({ …, headers: { 'X-SVC-Dims': 'user=ada' } })\`. ${DIMS_OF_KEY}`,
    limits: [
      "The base URL is an option of `createGateway`; there is no variable for it. A model that is named by a text alone (`model: 'openai/gpt-4o-mini'`) goes to the gateway directly, past Weir.",
      'For a provider of the SDK itself, `createOpenAI` and its like take `baseURL` and `headers` in the same way.',
    ],
  },
  {
    id: 'langchain-js',
    title: 'LangChain, JavaScript',
    kind: 'library',
    packages: [fromNpm('@langchain/openai', '1.6.0'), fromNpm('@langchain/core', '1.2.13')],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'js',
      text: toLangchain(LANGCHAIN_HEADERS),
    },
    stored: { variables: { OPENAI_BASE_URL: '%URL%' }, language: 'js', text: toLangchain('') },
    dims: `The header \`X-SVC-Dims\` beside the Weir key's, for every call of a model. ${DIMS_OF_KEY}`,
    limits: [
      'This version also reads headers from `OPENAI_CUSTOM_HEADERS`, one a line, as `X-SVC-API-Key: svc_k_…`: then nothing changes in the program.',
      'Other models of LangChain take the address under other names: `anthropicApiUrl` and `clientOptions` for `ChatAnthropic`.',
    ],
  },
]
