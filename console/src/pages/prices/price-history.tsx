// The prices of a model over time: by service tier, each with its start, its rates and its source.

import { Alert, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type {
  PriceHistory as PriceHistoryAnswer,
  PricePeriod,
} from '../../../../src/api/contract.ts'
import { formatPriceVersion, formatTime } from '../../data/format-time.ts'
import { PriceDifferences } from './price-differences.tsx'
import { toRateWords, toSourceWords, toUnitName } from './price-words.ts'
import { priceHistoryQuery } from './prices.ts'
import type { PriceSubject } from './prices.ts'
import { toHref } from '../../data/search-values.ts'
import { Facts } from '../../ui/facts.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextLink } from '../../ui/link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

export interface PriceHistoryProps {
  /** Null where none is shown. */
  readonly subject: PriceSubject | null
  readonly onClose: () => void
}

export function PriceHistory({ subject, onClose }: PriceHistoryProps) {
  return (
    <Drawer
      opened={subject !== null}
      onClose={onClose}
      size="lg"
      title={subject === null ? '' : subject.model}
    >
      {subject !== null && <History subject={subject} />}
    </Drawer>
  )
}

function History({ subject }: { readonly subject: PriceSubject }) {
  const { data, error, refetch } = useQuery(priceHistoryQuery(subject))
  const { provider, model } = subject
  return (
    <Stack gap="lg">
      <Group gap="0.25rem 1rem">
        <span className="quiet">By {provider}</span>
        <TextLink href={toHref('/requests', { provider, model })}>Its requests</TextLink>
      </Group>
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton h={240} />}
      {data !== undefined && <Periods history={data} />}
    </Stack>
  )
}

function Periods({ history }: { readonly history: PriceHistoryAnswer }) {
  const { periods, near_models: near } = history
  if (periods.length === 0) {
    return (
      <Alert color="yellow" title="No price is known">
        {near.length === 0
          ? 'No similar name is in the list.'
          : `Similar names: ${near.join(', ')}.`}
      </Alert>
    )
  }
  const tiers = [...new Set(periods.map(({ tier }) => tier))]
  return tiers.map((tier) => (
    <Stack component="section" key={tier} gap="sm">
      <Title order={3}>{toUnitName(tier)} tier</Title>
      {periods
        .filter((period) => period.tier === tier)
        .map((period) => (
          <Period key={`${period.price_version} ${period.since ?? ''}`} period={period} />
        ))}
    </Stack>
  ))
}

function Period({ period }: { readonly period: PricePeriod }) {
  const { since, hours, is_current: isCurrent, rule, rates } = period
  return (
    <div className="price-period">
      <Group gap="0.25rem 0.75rem">
        <Text fw={600}>{since === null ? 'From the start' : `Since ${formatTime(since)}`}</Text>
        {isCurrent && <StatusBadge tone="good">Current</StatusBadge>}
        {rule !== null && <StatusBadge tone="accent">Your price</StatusBadge>}
      </Group>
      {hours !== null && <p className="quiet">Only {hours}</p>}
      <Facts
        facts={rates.map((rate) => ({
          name: toUnitName(rate.unit),
          value: <span className="number">{toRateWords(rate)}</span>,
        }))}
      />
      {period.is_free && <p className="quiet">Not charged.</p>}
      <PriceDifferences differences={period.differs} />
      <p className="price-origin">
        {period.sources.length > 0 && <>From {toSourceWords(period.sources)}. </>}
        Matched <span className="mono">{period.matched}</span>
        {rule !== null && (
          <>
            {' '}
            by rule <span className="mono">{rule}</span>
          </>
        )}
        , {formatPriceVersion(period.price_version)}
      </p>
    </div>
  )
}
