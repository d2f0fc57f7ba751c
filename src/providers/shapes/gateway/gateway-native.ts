// Vercel AI Gateway in the AI SDK's protocol: a call per kind of model, video jobs, and batches.

import { hiddenNames, namesIn } from '../../requested-models/model-names.ts'
import type { Operation, RequestView } from '../../provider.ts'
import { aiSdkNative } from './ai-sdk-native.ts'
import type { AiSdkNativeOptions } from './ai-sdk-native.ts'
import { createKnownModelReader } from '../body-model.ts'
import { gatewayBatchResults } from './gateway-batch-results.ts'
import { gatewayMetadata } from './gateway-metadata.ts'
import { toName } from '../json-leaves.ts'
import { unmeteredOperation } from '../unmetered-operation.ts'

const LANGUAGE_HEADER = 'ai-language-model-id'
const MODEL_HEADER = 'ai-model-id'
const addition = gatewayMetadata

type Kind = Pick<AiSdkNativeOptions, 'isWithoutTokens' | 'isJob'>

/** By the last part of the path, the most frequent first. */
const KINDS: Readonly<Record<string, Kind>> = {
  'embedding-model': {},
  'image-model': { isWithoutTokens: true },
  'reranking-model': { isWithoutTokens: true },
  'speech-model': { isWithoutTokens: true },
  'transcription-model': { isWithoutTokens: true },
  'decision-model': {},
  'video-model': { isWithoutTokens: true },
  'video-model/status': { isWithoutTokens: true, isJob: true },
}

/** The bases differ by the protocol's version only. */
export function gatewayNative(bases: readonly string[]): readonly Operation[] {
  const under = (path: string): readonly string[] => bases.map((base) => `${base}/${path}`)
  return [
    aiSdkNative({
      name: 'ai-sdk-language-model',
      paths: under('language-model'),
      modelHeader: LANGUAGE_HEADER,
      isWriting: true,
      addition,
    }),
    ...Object.entries(KINDS).map(([path, kind]) =>
      aiSdkNative({
        name: `ai-sdk-${path.replace('/', '-')}`,
        paths: under(path),
        modelHeader: MODEL_HEADER,
        addition,
        ...kind,
      }),
    ),
    gatewayBatchResults(under('batch/results')),
    // A video is charged when it is finished, a batch with its results.
    unmeteredOperation({
      name: 'ai-sdk-start',
      path: toPattern(bases, '(?:video-model|batch)/start'),
      createModelReader: (request) => createKnownModelReader(toName(request.header(MODEL_HEADER))),
      createNamesReader: (request) => (hasModel(request) ? named(request) : hidden(request)),
    }),
    unmeteredOperation({ name: 'ai-sdk-batch', path: toPattern(bases, 'batch/(?:status|cancel)') }),
  ]
}

const named = namesIn({
  fromHead: (request) => request.headers(MODEL_HEADER),
  naming: ['modelId'],
})
const hidden = hiddenNames('no header names the model')

function hasModel(request: RequestView): boolean {
  return request.header(MODEL_HEADER) !== null
}

function toPattern(bases: readonly string[], rest: string): RegExp {
  return new RegExp(`^(?:${bases.map((base) => RegExp.escape(base)).join('|')})/${rest}$`)
}
