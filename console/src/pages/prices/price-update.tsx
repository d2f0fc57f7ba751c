// Checks for newer prices: first shows what would change, then applies it when confirmed. What is
// applied is what was shown.

import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PriceUpdateAnswer } from '../../../../src/api/contract.ts'
import { formatCounted } from '../../data/format-count.ts'
import { Fault } from '../../ui/fault.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx'
import { PriceUpdateDiff } from './price-update-diff.tsx'
import { toUpdateWords } from './price-words.ts'
import { priceUpdateQuery, useApplyPriceUpdate } from './prices.ts'

export interface PriceUpdateProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function PriceUpdate({ isOpen, onClose }: PriceUpdateProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} size="xl" title="Check for newer prices">
      {isOpen && <PriceUpdateSteps onClose={onClose} />}
    </Modal>
  )
}

function PriceUpdateSteps({ onClose }: Pick<PriceUpdateProps, 'onClose'>) {
  const apply = useApplyPriceUpdate()
  const { data, error, refetch, isFetching } = useQuery({
    ...priceUpdateQuery,
    enabled: apply.data === undefined && !apply.isPending,
  })
  const answer = apply.data ?? data
  const isOffered = answer?.result === 'available'
  const isForced = (answer?.doubts.length ?? 0) > 0
  const start = (): void => {
    apply.mutate({ force: isForced, version: answer?.version ?? undefined })
  }
  return (
    <Stack gap="md">
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      {isFetching && (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text>Fetching the published prices…</Text>
        </Group>
      )}
      {answer !== undefined && !isFetching && <Outcome answer={answer} />}
      <FormFault error={apply.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {isOffered ? 'Cancel' : 'Close'}
        </Button>
        {isOffered && !isFetching && (
          <Button {...(isForced && { color: 'red' })} loading={apply.isPending} onClick={start}>
            {isForced ? 'Apply anyway' : 'Apply'}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Outcome({ answer }: { readonly answer: PriceUpdateAnswer }) {
  const { tone, title, text } = toUpdateWords(answer)
  const isGood = tone === 'good'
  return (
    <>
      <Alert
        role="status"
        color={isGood ? 'green' : 'yellow'}
        icon={isGood ? <CheckIcon /> : <WarningIcon />}
        title={title}
      >
        {text}
      </Alert>
      {answer.version !== null && (
        <Text>
          {formatCounted(answer.added, 'model')} added, {answer.removed} removed,{' '}
          {formatCounted(answer.changed, 'rate')} changed.
        </Text>
      )}
      {answer.result === 'available' && <PriceUpdateDiff answer={answer} />}
    </>
  )
}
