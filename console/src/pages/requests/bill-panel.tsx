// What a call cost and why: units × rates = cost, as a bill.

import { Alert, Text } from '@mantine/core'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../../src/api/contract.ts'
import { hasSeveral, toBillLines } from './call-bill.ts'
import type { BillLine } from './call-bill.ts'
import { PriceDifferences } from '../prices/price-differences.tsx'
import { toCallCost } from './call-cost-words.ts'
import { SOURCE_WORDS } from './call-words.ts'
import { formatPriceVersion } from '../../data/format-time.ts'
import { formatExactUsd } from '../../data/format-usd.ts'
import { toHref } from '../../data/search-values.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { alignPoints } from '../../ui/align-points.ts'
import { Panel } from '../../ui/panel.tsx'

export function BillPanel({ call }: { readonly call: RequestDetail }): ReactElement {
  const { explanation } = call
  const lines = toBillLines(explanation.lines)
  return (
    <Panel heading="Cost" description={explanation.text}>
      {lines.length > 0 && <Bill lines={lines} total={explanation.total_usd} />}
      {call.source === 'unpriced' && <Unpriced call={call} />}
      {lines.length === 0 && call.source !== 'unpriced' && <Sum call={call} />}
      {call.source !== 'unpriced' && <Origin call={call} />}
      {explanation.differs.length > 0 && (
        <div className="bill-differs">
          <PriceDifferences differences={explanation.differs} />
        </div>
      )}
    </Panel>
  )
}

/** Where the cost comes from, and by which price. */
function Origin({ call }: { readonly call: RequestDetail }) {
  return (
    <Text size="sm" c="dimmed" mt="sm">
      {SOURCE_WORDS[call.source]}
      {call.price_version !== null && (
        <>
          {', '}
          <span className="call-version">{formatPriceVersion(call.price_version)}</span>
        </>
      )}
    </Text>
  )
}

interface BillProps {
  readonly lines: readonly BillLine[]
  readonly total: string | null
}

function Bill({ lines, total }: BillProps) {
  const isSeveral = hasSeveral(lines)
  const sum = total === null ? 'not known' : formatExactUsd(total)
  const costs = alignPoints([...lines.map(({ cost }) => cost), sum])
  return (
    <div className="table-frame bill" role="group" aria-label="The bill" tabIndex={0}>
      <table className="table">
        <caption className="unseen">Units, rates and cost</caption>
        <thead>
          <tr>
            <th scope="col">Unit</th>
            <th scope="col" className="cell-right wide-only">
              Count
            </th>
            <th scope="col" className="cell-right wide-only">
              × Rate
            </th>
            <th scope="col" className="cell-right">
              = Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => (
            <tr key={line.id}>
              <td>
                {line.unit}
                {isSeveral && <span className="cell-under">{line.model}</span>}
                <span className="cell-under phone-only">
                  {line.count} × {line.rate}
                </span>
              </td>
              <td className="cell-right wide-only">{line.count}</td>
              <td className="cell-right wide-only">{line.rate}</td>
              <td className="cell-right">
                <span style={costs[place]}>{line.cost}</span>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="wide-only" colSpan={2} />
            <td className="cell-right bill-total">
              <span style={costs.at(-1)}>{sum}</span>
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/** A cost without lines: it came with the response, or there is none. */
function Sum({ call }: { readonly call: RequestDetail }) {
  const market = call.market_cost_usd
  return (
    <>
      <p className="bill-sum number">
        {call.cost_usd === null ? toCallCost(call).text : formatExactUsd(call.cost_usd)}
      </p>
      {market !== null && (
        <p className="quiet">By the list of the provider it is worth {formatExactUsd(market)}.</p>
      )}
    </>
  )
}

function Unpriced({ call }: { readonly call: RequestDetail }) {
  const search = { tab: 'missing', search: call.model ?? undefined }
  return (
    <Alert color="yellow" title="No cost is known" icon={<WarningIcon />}>
      Every figure counts it as unpriced, not as zero.{' '}
      <TextLink href={toHref('/prices', search)} underline="always">
        Set a price
      </TextLink>
      , then reprice past calls.
    </Alert>
  )
}
