import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBedrockModel, modelPath } from './bedrock-model.ts'
import type { BedrockModel } from './bedrock-model.ts'

const ARN = 'arn:aws:bedrock:us-east-1:123456789012'

function named(name: string): BedrockModel {
  return { label: name, name }
}

function hidden(label: string | null): BedrockModel {
  return { label, name: null }
}

const PATHS: readonly (readonly [string, BedrockModel])[] = [
  ['/model/acme.heron-v1:0/converse', named('acme.heron-v1:0')],
  ['/model/us.acme.heron-v1%3A0/invoke', named('us.acme.heron-v1:0')],
  ['/base/model/acme.heron-v1%3a0/converse-stream', named('acme.heron-v1:0')],
  [
    `/model/${encodeURIComponent(`${ARN}:inference-profile/eu.acme.heron`)}/converse`,
    named('eu.acme.heron'),
  ],
  [
    '/model/arn%3Aaws-us-gov%3Abedrock%3Aus-gov-west-1%3A%3Afoundation-model%2Facme.heron/invoke',
    named('acme.heron'),
  ],
  ...[
    `${ARN}:application-inference-profile/abc`,
    `${ARN}:default-prompt-router/acme.heron:1`,
    `${ARN}:prompt-router/abc`,
    `${ARN}:prompt/ABC:1`,
    `${ARN}:provisioned-model/abc`,
    `${ARN}:custom-model/acme.heron/abc`,
    `${ARN}:imported-model/abc`,
    `${ARN}:foundation-model/a/b`,
    'arn:aws:sagemaker:us-east-1:123456789012:endpoint/acme',
    'arn:aws',
    'acme.heron/../../model/other',
    'acme%2Eheron',
    'acme heron',
    'ácme',
  ].map((id) => [`/model/${encodeURIComponent(id)}/converse`, hidden(id)] as const),
  ['/model/acme%ZZ/converse', hidden(null)],
  ['/model/%FF/converse', hidden(null)],
  [`/model/${'a'.repeat(257)}/converse`, hidden(null)],
  ['/models/acme/converse', hidden(null)],
]

for (const [path, model] of PATHS) {
  test(`finds ${model.name ?? 'no name'} in ${path.slice(0, 120)}`, () => {
    assert.deepEqual(findBedrockModel(path), model)
  })
}

test('knows a call by one segment for the model and the exact action', () => {
  const path = modelPath('/v1', 'converse')
  assert.ok(path.test('/v1/model/acme.heron-v1%3A0/converse'))
  for (const other of [
    '/model/acme/converse',
    '/v1/model/acme/converse-stream',
    '/v1/model/acme/converse/',
    '/v1/model//converse',
    '/v1/model/a/b/converse',
    '/V1/model/acme/converse',
  ]) {
    assert.ok(!path.test(other), other)
  }
})
