// Where the sources of a listed price differ: both figures of each unit, as text beside the price.

import type { PriceDifference } from '../../../../src/api/contract.ts'
import { Facts } from '../../ui/facts.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toDifferenceFacts } from './price-words.ts'

import './price-differences.css'

export interface PriceDifferencesProps {
  /** With the model where there may be several. */
  readonly differences: readonly (PriceDifference & { readonly model?: string })[]
}

export function PriceDifferences({ differences }: PriceDifferencesProps) {
  return differences.map((difference) => {
    const { source, model } = difference
    return (
      <div
        key={`${model ?? ''} ${source}`}
        className="price-differs"
        role="note"
        aria-label="Sources differ"
      >
        <SourcesDiffer />
        <p>
          {source} has other figures than the price list{model !== undefined && ` for ${model}`}.
        </p>
        <Facts
          facts={toDifferenceFacts(difference).map(({ name, words }) => ({
            name,
            value: <span className="number">{words}</span>,
          }))}
        />
      </div>
    )
  })
}

export function SourcesDiffer() {
  return <StatusBadge tone="warning">Sources differ</StatusBadge>
}
