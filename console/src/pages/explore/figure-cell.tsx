// A figure of an answer in a cell, with the exact number for programs that read the page.

import type { UsageRow } from '../../../../src/api/contract.ts'

export interface FigureCellProps {
  readonly row: UsageRow
  readonly text: string
}

export function FigureCell({ row, text }: FigureCellProps) {
  return (
    <span
      data-figure="row"
      data-label={row.label}
      data-bucket={row.bucket}
      data-model={row.model}
      data-value={row.value}
    >
      {text}
    </span>
  )
}
