// Reprices recorded calls: first shows what would change, then applies it when confirmed. What is
// applied is what was shown.

import { Alert, Button, Checkbox, Group, Loader, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RepriceRequest } from '../../../../src/api/contract.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toBeforeWords } from './price-words.ts'
import { dryRunQuery, useApplyReprice } from './prices.ts'
import { Fault } from '../../ui/fault.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { RepriceDiff } from './reprice-diff.tsx'

export interface RepriceProps {
  /** Which calls; null while it is closed. */
  readonly request: RepriceRequest | null
  readonly onClose: () => void
}

export function Reprice({ request, onClose }: RepriceProps) {
  // Kept here, so that it continues and reports its end after the dialog was closed.
  const apply = useApplyReprice()
  useEffect(() => {
    if (request !== null || apply.isPending || apply.isIdle) return
    if (apply.error !== null) notifications.show({ color: 'red', message: apply.error.message })
    apply.reset()
  }, [request, apply])
  const start = (asked: RepriceRequest): void => {
    apply.mutate(asked, {
      onSuccess: ({ calls }) => {
        const words = formatCounted(calls, 'call')
        notifications.show({ message: `${words} repriced.` })
      },
    })
  }
  return (
    <FormDialog
      isOpen={request !== null}
      onClose={onClose}
      size="xl"
      title={`Reprice ${request?.model ?? 'recorded calls'}`}
    >
      {request !== null && (
        <RepriceSteps scope={request} apply={apply} onStart={start} onClose={onClose} />
      )}
    </FormDialog>
  )
}

interface RepriceStepsProps {
  readonly scope: RepriceRequest
  readonly apply: ReturnType<typeof useApplyReprice>
  readonly onStart: (request: RepriceRequest) => void
  readonly onClose: () => void
}

function RepriceSteps({ scope, apply, onStart, onClose }: RepriceStepsProps) {
  const [isAll, setAll] = useState(false)
  const request: RepriceRequest = isAll ? { ...scope, all: true } : scope
  const isDone = apply.data !== undefined
  // No new preview behind the answer: it would be empty.
  const { data, error, refetch } = useQuery({
    ...dryRunQuery(request),
    enabled: !isDone && !apply.isPending,
  })
  if (apply.data !== undefined) return <Done answer={apply.data} onClose={onClose} />
  const calls = data?.calls ?? 0
  return (
    <Stack gap="md">
      <Checkbox
        label="Include calls that already have a computed cost"
        description="Otherwise only those without a cost. A cost stated by the provider is never changed."
        checked={isAll}
        disabled={apply.isPending}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Busy text="Checking what would change…" />}
      {data !== undefined && <RepriceDiff answer={data} />}
      {apply.isPending && <Busy text="Updating costs and totals. This may take a while." />}
      <FormFault error={apply.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {apply.isPending ? 'Close and continue' : 'Cancel'}
        </Button>
        <Button disabled={calls === 0} loading={apply.isPending} onClick={() => onStart(request)}>
          {calls === 0 ? 'Nothing to change' : `Change the cost of ${formatCounted(calls, 'call')}`}
        </Button>
      </Group>
    </Stack>
  )
}

function Busy({ text }: { readonly text: string }) {
  return (
    <Group gap="sm" role="status">
      <Loader size="sm" />
      <Text>{text}</Text>
    </Group>
  )
}

interface DoneProps {
  readonly answer: Parameters<typeof RepriceDiff>[0]['answer']
  readonly onClose: () => void
}

function Done({ answer, onClose }: DoneProps) {
  return (
    <Stack gap="md">
      <Alert role="status" color="green" icon={<CheckIcon />} title="Costs updated">
        {formatCounted(answer.calls, 'call')}. Cost before: {toBeforeWords(answer.before_usd)}; now:{' '}
        {formatUsd(Number(answer.after_usd))}. Every figure now includes it.
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  )
}
