// The third step: the call arrives, with what it used and what it cost.

import { Button, Group, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RequestRow } from '../../../../src/api/contract.ts'
import { describeArrival, newestCallQuery, toArrival } from './first-arrival.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatDuration } from '../../data/format-duration.ts'
import { formatExactUsd } from '../../data/format-usd.ts'
import { Fault } from '../../ui/fault.tsx'
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx'
import { useLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Stat, Stats } from '../../ui/charts/stat.tsx'

export interface ArrivalPanelProps {
  /** Only this key's calls; undefined for all. */
  readonly keyId: string | undefined
  /** It has no calls from before. */
  readonly isNewKey: boolean
  /** Whether step 1 is done here: then only calls with its key are awaited. */
  readonly canMakeKey: boolean
}

export function ArrivalPanel({ keyId, isNewKey, canMakeKey }: ArrivalPanelProps) {
  const { data: newest, error } = useQuery(newestCallQuery(keyId))
  const [before, setBefore] = useState<string | null | undefined>(isNewKey ? null : undefined)
  const [arrival, setArrival] = useState<RequestRow | null>(null)
  useEffect(() => {
    if (before === undefined && newest !== undefined) setBefore(newest?.id ?? null)
  }, [before, newest])
  const isWatching = keyId !== undefined || before === null || !canMakeKey
  const seen = isWatching ? toArrival({ before, newest }) : null
  useEffect(() => {
    // The first one stays: later ones would change the figures while they are read.
    if (seen !== null) setArrival((first) => first ?? seen)
  }, [seen])
  return (
    <Panel heading="3. See it arrive">
      {error !== null && <Fault title="The calls could not be read" error={error} />}
      <div aria-live="polite">
        {arrival === null && !isWatching && (
          <p className="quiet">Take a key first. Its next call will appear here.</p>
        )}
        {arrival === null && isWatching && (
          <Group gap="sm" wrap="nowrap">
            <Loader size="sm" aria-hidden="true" />
            <Text>
              {keyId === undefined
                ? 'Waiting for a call. It appears here seconds after it ends.'
                : 'Waiting for a call with this key. It appears here seconds after it ends.'}
            </Text>
          </Group>
        )}
        {arrival !== null && <Arrival call={arrival} isAwaited={keyId !== undefined} />}
      </div>
    </Panel>
  )
}

interface ArrivalProps {
  readonly call: RequestRow
  /** Whether it came with this page's key. */
  readonly isAwaited: boolean
}

function Arrival({ call, isAwaited }: ArrivalProps) {
  const link = useLink()
  const isGood = call.status === 'delivered'
  return (
    <>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {isGood ? <CheckIcon /> : <WarningIcon />}
        <Text fw={600}>
          {isAwaited ? 'Your call arrived.' : 'A call arrived.'} {describeArrival(call)}
        </Text>
      </Group>
      <Text c="dimmed" mb="md">
        To {call.provider}
        {call.model === null ? '.' : `, answered by ${call.model}.`}
      </Text>
      <Stats>
        <Stat label="Tokens in" value={toCount(call.input_tokens)} />
        <Stat label="Tokens out" value={toCount(call.output_tokens)} />
        <Stat
          label="Cost"
          value={call.cost_usd === null ? 'Not known' : formatExactUsd(call.cost_usd)}
        />
        <Stat label="Duration" value={formatDuration(call.duration_ms)} />
      </Stats>
      <Group mt="lg" gap="sm">
        <Button component={link} href="/">
          Go to Overview
        </Button>
        <Button component={link} href={`/requests/${call.id}`} variant="default">
          See how it was counted
        </Button>
      </Group>
    </>
  )
}

function toCount(tokens: number | null): string {
  return tokens === null ? 'Not known' : formatCount(tokens)
}
