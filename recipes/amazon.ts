// Amazon's own client, for Bedrock.

import type { Recipe } from './recipe.ts'

const DIMS_OF_KEY =
  "With a stored credential, the key's own dimensions apply (`weir keys create --dim team=your-team`), or the header `X-SVC-Dims` is sent alone."

const toBoto = (hook: string): string => `${hook === '' ? '' : 'import os\n'}import boto3

client = boto3.client('bedrock-runtime', region_name='us-east-1')
${hook}
answer = client.converse(
    modelId='%MODEL%',
    messages=[{'role': 'user', 'content': [{'text': 'Hello'}]}],
)
print(answer['output']['message']['content'][0]['text'])`

const BOTO_HOOK = `

def add_headers(request, **_):
    request.headers['X-SVC-API-Key'] = os.environ['WEIR_KEY']
    request.headers['X-SVC-Dims'] = '%DIMS%'


client.meta.events.register('before-sign.bedrock-runtime', add_headers)
`

export const AMAZON_RECIPES: readonly Recipe[] = [
  {
    id: 'boto3',
    title: 'boto3 (Amazon Bedrock)',
    kind: 'library',
    packages: [{ from: 'pip', name: 'boto3', version: '1.44.3' }],
    format: 'bedrock',
    provider: 'bedrock',
    needsHttps: true,
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    header: {
      variables: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'python',
      text: toBoto(BOTO_HOOK),
    },
    stored: {
      variables: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: '%URL%' },
      language: 'python',
      text: toBoto(''),
    },
    dims: `The header \`X-SVC-Dims\`, set by the hook beside the Weir key's. ${DIMS_OF_KEY}`,
    limits: [
      'boto3 sends a Bedrock API key over HTTPS only, even to 127.0.0.1 ("Bearer authorization requires an HTTPS endpoint"): Weir needs a certificate (`tls.cert` and `tls.key`), or a proxy with one in front. `AWS_CA_BUNDLE` names an authority of your own.',
      'A Bedrock API key is needed. With access keys, boto3 signs each request for one host (SigV4): the signature is wrong at any other, and Weir does not sign.',
      'Bedrock has no common address: `providers.bedrock.url` names that of your region.',
    ],
  },
]
