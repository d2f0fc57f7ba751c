// Azure OpenAI and Microsoft Foundry. Most models of OpenAI are sold at OpenAI's prices, and
// batches and flex at half of them (azure.microsoft.com/pricing/details/azure-openai,
// learn.microsoft.com/azure/foundry/openai/how-to/flex-processing).

import type { CorrectedModel, TierPrice } from '../correction.ts'
import { OPENAI_AUDIO_PREVIEWS } from './openai.ts'
import { AZURE_PER_UNIT } from './openai-per-unit.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

/** Documents, by the page: azure.microsoft.com/pricing/details/ai-foundry-models/mistral. */
const DOCUMENTS: readonly CorrectedModel[] = [
  {
    id: 'mistral-ocr-4-0',
    match: { equals: 'mistral-ocr-4-0' },
    prices: { input_document_kpages: 4, input_annotated_document_kpages: 5 },
  },
  // ai.azure.com/catalog/models/mistral-document-ai-2512; what annotated pages cost is not listed.
  {
    id: 'mistral-document-ai-2512',
    match: { equals: 'mistral-document-ai-2512' },
    prices: { input_document_kpages: 3 },
  },
]

/** Nothing says that the models of other makers have these tiers. */
const HALF: TierPrice = [
  { models: ['gpt-*', 'o1*', 'o3*', 'o4*', 'codex-*', 'text-embedding-*'], percent: 50n },
]

export const azure: ProviderCorrections = {
  against: '2026-11-17',
  models: [...OPENAI_AUDIO_PREVIEWS, ...AZURE_PER_UNIT, ...DOCUMENTS],
  tiers: { batch: HALF, flex: HALF },
}
