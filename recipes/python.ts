// SDKs of providers for Python.

import type { Package, Recipe } from './recipe.ts'

const fromPip = (name: string, version: string): Package => ({ from: 'pip', name, version })

const DIMS_OF_KEY =
  "With a stored credential, the key's own dimensions apply (`weir keys create --dim team=your-team`), or the header `X-SVC-Dims` is sent alone."
const DIMS_OF_CLIENT = `The header \`X-SVC-Dims\` beside the Weir key's, for every call of a client, or for single calls: \`create(…, extra_headers={'X-SVC-Dims': 'user=ada'})\`. ${DIMS_OF_KEY}`

const HEADERS = `{
        'X-SVC-API-Key': os.environ['WEIR_KEY'],
        'X-SVC-Dims': '%DIMS%',
    }`

const WITH_HEADERS = `
    default_headers=${HEADERS},
`

const toOpenai = (options: string): string => `${options === '' ? '' : 'import os\n'}\
from openai import OpenAI

client = OpenAI(${options})

answer = client.chat.completions.create(
    model='%MODEL%',
    messages=[{'role': 'user', 'content': 'Hello'}],
)
print(answer.choices[0].message.content)`

const toAnthropic = (options: string): string => `${options === '' ? '' : 'import os\n'}\
from anthropic import Anthropic

client = Anthropic(${options})

message = client.messages.create(
    model='%MODEL%',
    max_tokens=100,
    messages=[{'role': 'user', 'content': 'Hello'}],
)
print(message.content[0].text)`

const toGoogle = (options: string): string => `${options === '' ? '' : 'import os\n'}\
from google import genai

client = genai.Client(${options})

answer = client.models.generate_content(model='%MODEL%', contents='Hello')
print(answer.text)`

const toMistral = (option: string): string => `import os
from mistralai.client import Mistral

client = Mistral(
    api_key=os.environ['MISTRAL_API_KEY'],
    server_url=os.environ['MISTRAL_SERVER_URL'],
)

answer = client.chat.complete(
    model='%MODEL%',
    messages=[{'role': 'user', 'content': 'Hello'}],${option}
)
print(answer.choices[0].message.content)`

const toCohere = (imports: string, options: string): string => `${imports}import cohere

client = cohere.ClientV2(${options})

answer = client.chat(
    model='%MODEL%',
    messages=[{'role': 'user', 'content': 'Hello'}],
)
print(answer.message.content[0].text)`

export const PYTHON_RECIPES: readonly Recipe[] = [
  {
    id: 'openai-python',
    title: 'OpenAI SDK, Python',
    kind: 'library',
    packages: [fromPip('openai', '3.51.0')],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toOpenai(WITH_HEADERS),
    },
    stored: { variables: { OPENAI_BASE_URL: '%URL%' }, language: 'python', text: toOpenai('') },
    dims: DIMS_OF_CLIENT,
    limits: [
      'This version also reads headers from `OPENAI_CUSTOM_HEADERS`, one a line, as `X-SVC-API-Key: svc_k_…`: then nothing changes in the program.',
      "A stream reports its usage only where the request says so: `stream_options={'include_usage': True}`. Without it, Weir counts the tokens from the text, and the call is marked as estimated. The Responses API always reports it.",
      '`AzureOpenAI` is given `azure_endpoint` instead of the base URL: `%PROXY%/v1/azure`.',
    ],
  },
  {
    id: 'anthropic-python',
    title: 'Anthropic SDK, Python',
    kind: 'library',
    packages: [fromPip('anthropic', '2.9.0')],
    format: 'anthropic',
    provider: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    header: {
      variables: { ANTHROPIC_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toAnthropic(WITH_HEADERS),
    },
    stored: {
      variables: { ANTHROPIC_BASE_URL: '%URL%' },
      language: 'python',
      text: toAnthropic(''),
    },
    dims: DIMS_OF_CLIENT,
    limits: [
      'This version also reads headers from `ANTHROPIC_CUSTOM_HEADERS`, one a line, as `X-SVC-API-Key: svc_k_…`: then nothing changes in the program.',
      'The base URL has no `/v1` at its end: the SDK adds it.',
      '`AnthropicBedrock` with access keys of AWS signs its requests for one host (SigV4): the signature is wrong at any other, and Weir does not sign.',
    ],
  },
  {
    id: 'google-python',
    title: 'Google GenAI SDK, Python',
    kind: 'library',
    packages: [fromPip('google-genai', '3.3.0')],
    format: 'gemini',
    provider: 'google',
    keyVariable: 'GEMINI_API_KEY',
    header: {
      variables: { GOOGLE_GEMINI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toGoogle(`
    http_options={
        'headers': {
            'X-SVC-API-Key': os.environ['WEIR_KEY'],
            'X-SVC-Dims': '%DIMS%',
        },
    },
`),
    },
    stored: {
      variables: { GOOGLE_GEMINI_BASE_URL: '%URL%' },
      language: 'python',
      text: toGoogle(''),
    },
    dims: `The header \`X-SVC-Dims\` beside the Weir key's, for every call of a client, or for single calls: \`config={'http_options': {'headers': …}}\`. ${DIMS_OF_KEY}`,
    limits: [
      'The base URL has no `/v1beta` at its end: the SDK adds it.',
      'Files are uploaded to an address that Google names in its answer, past Weir; what is made of them goes through it.',
    ],
  },
  {
    id: 'mistral-python',
    title: 'Mistral SDK, Python',
    kind: 'library',
    packages: [fromPip('mistralai', '3.7.0')],
    format: 'mistral',
    provider: 'mistral',
    keyVariable: 'MISTRAL_API_KEY',
    header: {
      variables: { MISTRAL_SERVER_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toMistral(`\n    http_headers=${HEADERS},`),
    },
    stored: {
      variables: { MISTRAL_SERVER_URL: '%URL%' },
      language: 'python',
      text: toMistral(''),
    },
    dims: `The header \`X-SVC-Dims\` beside the Weir key's, with each call. ${DIMS_OF_KEY}`,
    limits: [
      'The SDK has no variable for the address: the program hands it over, as shown.',
      'It has no option for the headers of all calls, but for an HTTP client of your own: they are given with each call.',
    ],
  },
  {
    id: 'cohere-python',
    title: 'Cohere SDK, Python',
    kind: 'library',
    packages: [fromPip('cohere', '7.3.1')],
    format: 'cohere',
    provider: 'cohere',
    keyVariable: 'CO_API_KEY',
    header: {
      variables: { CO_API_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toCohere(
        'import os\nimport httpx\n',
        `
    httpx_client=httpx.Client(
        headers={
            'X-SVC-API-Key': os.environ['WEIR_KEY'],
            'X-SVC-Dims': '%DIMS%',
        },
        timeout=120,
    ),
`,
      ),
    },
    stored: { variables: { CO_API_URL: '%URL%' }, language: 'python', text: toCohere('', '') },
    dims: `The header \`X-SVC-Dims\` beside the Weir key's, for every call of a client, or for single calls: \`request_options={'additional_headers': {'X-SVC-Dims': 'user=ada'}}\`. ${DIMS_OF_KEY}`,
    limits: [],
  },
]
