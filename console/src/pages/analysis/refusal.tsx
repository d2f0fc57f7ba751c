// Why a question has no answer. One that is refused stays refused: only another one helps, and the
// error says which.

import { ApiError } from '../../data/api-error.ts'
import { Fault } from '../../ui/fault.tsx'

export interface RefusalProps {
  readonly error: Error
  readonly onRetry: () => void
}

export function Refusal({ error, onRetry }: RefusalProps) {
  const isRefused = error instanceof ApiError && error.status === 400
  if (isRefused) return <Fault title="Narrow the question" error={error} />
  return <Fault title="The figures could not be read" error={error} onRetry={onRetry} />
}
