// SDKs of providers for JavaScript. What is among this checkout's devDependencies is run by
// `npm test` too.

import type { Package, Recipe } from './recipe.ts'

const fromNpm = (name: string, version: string): Package => ({ from: 'npm', name, version })

const DIMS =
  'The header `X-SVC-Dims` beside that of the Weir key, for every call of a client, or for single calls'
const DIMS_OF_KEY =
  "With a stored credential, the key's own dimensions apply (`weir keys create --dim team=your-team`), or the header `X-SVC-Dims` is sent alone."

const HEADERS = `{
    'X-SVC-API-Key': process.env.WEIR_KEY,
    'X-SVC-Dims': '%DIMS%',
  }`

const toOpenai = (options: string): string => `import OpenAI from 'openai'

const client = new OpenAI(${options})

const answer = await client.chat.completions.create({
  model: '%MODEL%',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`

const toAnthropic = (options: string): string => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic(${options})

const message = await client.messages.create({
  model: '%MODEL%',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(message.content[0].text)`

const toGoogle = (httpOptions: string): string => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({${httpOptions}})

const answer = await client.models.generateContent({
  model: '%MODEL%',
  contents: 'Hello',
})
console.log(answer.text)`

const toMistral = (
  hook: string,
  option: string,
): string => `import { ${hook === '' ? '' : 'HTTPClient, '}Mistral } from '@mistralai/mistralai'
${hook}
const client = new Mistral({
  serverURL: process.env.MISTRAL_SERVER_URL,${option}
})

const answer = await client.chat.complete({
  model: '%MODEL%',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`

const MISTRAL_HOOK = `
const httpClient = new HTTPClient()
httpClient.addHook('beforeRequest', (request) => {
  request.headers.set('X-SVC-API-Key', process.env.WEIR_KEY)
  request.headers.set('X-SVC-Dims', '%DIMS%')
  return request
})
`

const toCohere = (option: string): string => `import { CohereClientV2 } from 'cohere-ai'

const client = new CohereClientV2({
  environment: process.env.CO_API_URL,${option}
})

const answer = await client.chat({
  model: '%MODEL%',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.message.content[0].text)`

export const JAVASCRIPT_RECIPES: readonly Recipe[] = [
  {
    id: 'openai-js',
    title: 'OpenAI SDK, JavaScript',
    kind: 'library',
    packages: [fromNpm('openai', '7.53.0')],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'js',
      text: toOpenai(`{\n  defaultHeaders: ${HEADERS},\n}`),
    },
    stored: { variables: { OPENAI_BASE_URL: '%URL%' }, language: 'js', text: toOpenai('') },
    dims: `${DIMS}: \`create({ … }, { headers: { 'X-SVC-Dims': 'user=ada' } })\`. ${DIMS_OF_KEY}`,
    limits: [
      'This version also reads headers from `OPENAI_CUSTOM_HEADERS`, one a line, as `X-SVC-API-Key: svc_k_…`: then nothing changes in the program.',
      'A stream reports its usage only where the request says so: `stream_options: { include_usage: true }`. Without it, Weir counts the tokens from the text, and the call is marked as estimated. The Responses API always reports it.',
      'A browser cannot call through Weir: the proxy sends no CORS headers, and a key in a page is not secret.',
    ],
  },
  {
    id: 'anthropic-js',
    title: 'Anthropic SDK, JavaScript',
    kind: 'library',
    packages: [fromNpm('@anthropic-ai/sdk', '1.8.0')],
    format: 'anthropic',
    provider: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    header: {
      variables: { ANTHROPIC_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'js',
      text: toAnthropic(`{\n  defaultHeaders: ${HEADERS},\n}`),
    },
    stored: { variables: { ANTHROPIC_BASE_URL: '%URL%' }, language: 'js', text: toAnthropic('') },
    dims: `${DIMS}: \`create({ … }, { headers: { 'X-SVC-Dims': 'user=ada' } })\`. ${DIMS_OF_KEY}`,
    limits: [
      'This version also reads headers from `ANTHROPIC_CUSTOM_HEADERS`, one a line, as `X-SVC-API-Key: svc_k_…`: then nothing changes in the program.',
      'The base URL has no `/v1` at its end: the SDK adds it.',
      'The SDK for Bedrock (`@anthropic-ai/bedrock-sdk`) signs its requests for one host (SigV4): the signature is wrong at any other, and Weir does not sign.',
    ],
  },
  {
    id: 'google-js',
    title: 'Google GenAI SDK, JavaScript',
    kind: 'library',
    packages: [fromNpm('@google/genai', '2.32.0')],
    format: 'gemini',
    provider: 'google',
    keyVariable: 'GEMINI_API_KEY',
    header: {
      variables: { GOOGLE_GEMINI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'js',
      text: toGoogle(`
  httpOptions: {
    headers: {
      'X-SVC-API-Key': process.env.WEIR_KEY,
      'X-SVC-Dims': '%DIMS%',
    },
  },
`),
    },
    stored: {
      variables: { GOOGLE_GEMINI_BASE_URL: '%URL%' },
      language: 'js',
      text: toGoogle(''),
    },
    dims: `${DIMS}: \`config: { httpOptions: { headers: { … } } }\`. ${DIMS_OF_KEY}`,
    limits: [
      'The base URL has no `/v1beta` at its end: the SDK adds it.',
      'Files are uploaded to an address that Google names in its answer, past Weir; what is made of them goes through it.',
    ],
  },
  {
    id: 'mistral-js',
    title: 'Mistral SDK, JavaScript',
    kind: 'library',
    packages: [fromNpm('@mistralai/mistralai', '2.7.0')],
    format: 'mistral',
    provider: 'mistral',
    keyVariable: 'MISTRAL_API_KEY',
    header: {
      variables: { MISTRAL_SERVER_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'js',
      text: toMistral(MISTRAL_HOOK, '\n  httpClient,'),
    },
    stored: {
      variables: { MISTRAL_SERVER_URL: '%URL%' },
      language: 'js',
      text: toMistral('', ''),
    },
    dims: `The header \`X-SVC-Dims\`, set by the hook beside the Weir key's. ${DIMS_OF_KEY}`,
    limits: [
      'The SDK reads its key from the variable, and the address only from the program, as shown.',
      'It has no option for headers; the hook is how they get in.',
    ],
  },
  {
    id: 'cohere-js',
    title: 'Cohere SDK, JavaScript',
    kind: 'library',
    packages: [fromNpm('cohere-ai', '8.1.0')],
    format: 'cohere',
    provider: 'cohere',
    keyVariable: 'CO_API_KEY',
    header: {
      variables: { CO_API_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'js',
      text: toCohere(`\n  headers: ${HEADERS},`),
    },
    stored: { variables: { CO_API_URL: '%URL%' }, language: 'js', text: toCohere('') },
    dims: `${DIMS}: \`chat({ … }, { headers: { … } })\`. ${DIMS_OF_KEY}`,
    limits: [
      'The option for the base URL is called `environment`; the SDK reads no variable for it.',
    ],
  },
]
