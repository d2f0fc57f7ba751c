// Frameworks for Python that call providers by SDKs of others.

import type { Package, Recipe } from './recipe.ts'

const fromPip = (name: string, version: string): Package => ({ from: 'pip', name, version })

const DIMS = `The header \`X-SVC-Dims\` beside the Weir key's, for every call. With a stored credential, the key's own dimensions apply (\`weir keys create --dim team=your-team\`), or the header \`X-SVC-Dims\` is sent alone.`

const HEADERS = `{
        'X-SVC-API-Key': os.environ['WEIR_KEY'],
        'X-SVC-Dims': '%DIMS%',
    },`

const importOs = (options: string): string => (options === '' ? '' : 'import os\n')

const toLangchain = (options: string): string => `${importOs(options)}\
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model='%MODEL%',${options}
)

answer = model.invoke('Hello')
print(answer.content)`

const toLlamaIndex = (options: string): string => `import os
from llama_index.llms.openai import OpenAI

llm = OpenAI(
    model='%MODEL%',
    api_base=os.environ['OPENAI_BASE_URL'],${options}
)

print(llm.complete('Hello'))`

const toLitellm = (options: string): string => `${importOs(options)}import litellm

answer = litellm.completion(
    model='openai/%MODEL%',
    messages=[{'role': 'user', 'content': 'Hello'}],${options}
)
print(answer.choices[0].message.content)`

export const PYTHON_FRAMEWORK_RECIPES: readonly Recipe[] = [
  {
    id: 'langchain-python',
    title: 'LangChain, Python',
    kind: 'library',
    packages: [fromPip('langchain-openai', '1.7.3')],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toLangchain(`\n    default_headers=${HEADERS}`),
    },
    stored: { variables: { OPENAI_BASE_URL: '%URL%' }, language: 'python', text: toLangchain('') },
    dims: DIMS,
    limits: [
      'With a base URL other than its default, `ChatOpenAI` does not ask for the usage of a stream by itself: give it `stream_usage=True`, or Weir counts the tokens from the text.',
      'Other models of LangChain take the address and the headers in the same way under their own names, as `ChatAnthropic(base_url=…, default_headers=…)`.',
    ],
  },
  {
    id: 'llamaindex',
    title: 'LlamaIndex',
    kind: 'library',
    packages: [fromPip('llama-index-llms-openai', '0.8.3')],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toLlamaIndex(`\n    default_headers=${HEADERS}`),
    },
    stored: { variables: { OPENAI_BASE_URL: '%URL%' }, language: 'python', text: toLlamaIndex('') },
    dims: DIMS,
    limits: [
      'Only models that it knows by name: others are called with `OpenAILike` of `llama-index-llms-openai-like`, which takes the same options.',
      'Embeddings are a client of their own: `OpenAIEmbedding` needs `api_base` and `default_headers` too.',
    ],
  },
  {
    id: 'litellm',
    title: "LiteLLM's SDK",
    kind: 'library',
    packages: [fromPip('litellm', '1.105.0')],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toLitellm(`\n    extra_headers=${HEADERS}`),
    },
    stored: { variables: { OPENAI_BASE_URL: '%URL%' }, language: 'python', text: toLitellm('') },
    dims: DIMS,
    limits: [
      'Behind another base URL the model is named `openai/…` for every provider that takes OpenAI’s format; `anthropic/…` takes `api_base` for that of Anthropic.',
      'Costs that LiteLLM works out itself are its own, from its own list of prices.',
    ],
  },
]
