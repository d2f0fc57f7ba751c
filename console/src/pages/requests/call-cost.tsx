// What a call cost, in a cell. An unknown cost is a word with a link to fix it, never an amount.

import type { ReactElement } from 'react'
import type { RequestRow } from '../../../../src/api/contract.ts'
import { toCallCost } from './call-cost-words.ts'
import { toHref } from '../../data/search-values.ts'
import { TextLink } from '../../ui/link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

export function CallCost({ call }: { readonly call: RequestRow }): ReactElement {
  const { kind, text, reason } = toCallCost(call)
  const title = reason === null ? {} : { title: reason }
  switch (kind) {
    case 'unpriced': {
      const href = toHref('/prices', { tab: 'missing', search: call.model ?? undefined })
      return (
        <TextLink href={href} label={`unpriced: set a price for ${call.model ?? 'it'}`} {...title}>
          {text}
        </TextLink>
      )
    }
    case 'byok':
      return (
        <span {...title}>
          <StatusBadge tone="accent">{text}</StatusBadge>
        </span>
      )
    case 'denied':
    case 'free':
      return (
        <span className="quiet" {...title}>
          {text}
        </span>
      )
    case 'exact':
    case 'estimated':
      return (
        <span {...title}>
          {text}
          {kind === 'estimated' && <span className="unseen"> {reason}</span>}
        </span>
      )
  }
}
