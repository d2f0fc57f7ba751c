// The tokens of a call by kind, each side with its parts.

import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../../src/api/contract.ts'
import { toTokenSides } from './call-tokens.ts'
import type { TokenSide } from './call-tokens.ts'
import { USAGE_WORDS } from './call-words.ts'
import { formatCount, formatCounted, formatShare } from '../../data/format-count.ts'
import { Panel } from '../../ui/panel.tsx'
import { SplitBar, SplitMark } from '../../ui/charts/split-bar.tsx'

export function TokensPanel({ call }: { readonly call: RequestDetail }): ReactElement {
  const tools = Object.entries(call.tool_calls)
  const usage = call.status === 'denied' ? 'Nothing was sent, so nothing was used.' : null
  return (
    <Panel heading="Tokens" description={usage ?? USAGE_WORDS[call.usage]}>
      {call.usage === 'none' ? (
        <p className="quiet">No tokens are recorded.</p>
      ) : (
        toTokenSides(call).map((side) => <Side key={side.label} side={side} />)
      )}
      {tools.length > 0 && (
        <p className="call-tools">
          Billed per unit:{' '}
          {tools.map(([kind, count]) => formatCounted(count, kind, kind)).join(', ')}
        </p>
      )}
    </Panel>
  )
}

function Side({ side: { label, count, parts } }: { readonly side: TokenSide }) {
  if (count === null) return <p className="quiet">{label}: not known.</p>
  const whole = parts.reduce((sum, part) => sum + part.count, 0)
  return (
    <section className="token-side" aria-label={`${label} tokens`}>
      <h3>
        {label} <span className="number">{formatCount(count)}</span>
      </h3>
      {whole > 0 && (
        <>
          <SplitBar
            parts={parts.map((part, place) => {
              return { id: part.label, value: part.count, color: place }
            })}
          />
          <ul className="token-parts">
            {parts.map((part, place) => (
              <li key={part.label}>
                <span>
                  <SplitMark color={place} />
                  {part.label}
                </span>
                <span className="number">{formatCount(part.count)}</span>
                <span className="number quiet">{formatShare(part.count / whole)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
