// A part whose names have other ids.

import type { NameColumn, BlockColumns } from './block-table.ts'

export function withIds(columns: BlockColumns, toId: (id: number) => number): BlockColumns {
  const names = Array.from(columns.names, ([column, ids]): [NameColumn, ArrayLike<number>] => {
    const name = column.startsWith('dim:')
      ? (`dim:${toId(Number(column.slice('dim:'.length)))}` as const)
      : column
    return [name, Array.from(ids, toId)]
  })
  return { ...columns, names: new Map(names) }
}
