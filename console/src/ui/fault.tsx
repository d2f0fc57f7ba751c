// Something could not be read or done: what, and a button to retry.

import { Alert, Button } from '@mantine/core'
import { WarningIcon } from './icons.tsx'

export interface FaultProps {
  /** `The figures could not be read` */
  readonly title?: string
  /** An ApiError, whose message is for people. */
  readonly error: Error
  readonly onRetry?: () => void
  /** Where something else than the same again helps. */
  readonly retryLabel?: string
}

export function Fault(props: FaultProps) {
  const { title = 'Something went wrong', error, onRetry, retryLabel = 'Try again' } = props
  return (
    <Alert role="alert" color="red" title={title} icon={<WarningIcon />}>
      <p className="fault-text">{error.message}</p>
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </Alert>
  )
}
