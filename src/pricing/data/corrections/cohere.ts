// Cohere: reranking, billed by the search, and models that the bundle leaves out
// (cohere.com/pricing). A search unit is what an answer counts as one: a query with up to a hundred
// documents.

import type { CorrectedModel } from '../correction.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

function rerank(id: string, usdPerThousand: number): CorrectedModel {
  const perUnit = { search_unit: { usd: usdPerThousand, per: 1000 } }
  return { id, match: { equals: id }, prices: [{ prices: {}, perUnit }] }
}

const EMBED_3 = ['english', 'english-light', 'multilingual', 'multilingual-light']

export const cohere: ProviderCorrections = {
  against: '2026-11-17',
  models: [
    rerank('rerank-v4.0-pro', 2.5),
    rerank('rerank-v4.0-fast', 2),
    rerank('rerank-v3.5', 2),
    rerank('rerank-english-v3.0', 2),
    rerank('rerank-multilingual-v3.0', 2),
    {
      id: 'embed-v3.0',
      match: { or: EMBED_3.map((kind) => ({ equals: `embed-${kind}-v3.0` })) },
      prices: { input_mtok: 0.1 },
    },
    {
      id: 'command-r-03-2024',
      match: { equals: 'command-r-03-2024' },
      prices: { input_mtok: 0.5, output_mtok: 1.5 },
    },
    {
      id: 'command-r-plus-04-2024',
      match: { equals: 'command-r-plus-04-2024' },
      prices: { input_mtok: 3, output_mtok: 15 },
    },
  ],
}
