// Columns that are in memory as they are, but for their names: `created_at` is `createdAt`.

type MemberName<Column> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<MemberName<Rest>>}`
  : Column

export function toMembers<Row extends object, Column extends keyof Row & string>(
  row: Row,
  columns: readonly Column[],
) {
  const members = columns.map((column) => [toMemberName(column), row[column]])
  return Object.fromEntries(members) as {
    readonly [Each in Column as MemberName<Each>]: Row[Each]
  }
}

/** The other way round. */
export function toColumns<Value extends object, Column extends string>(
  value: Value,
  columns: readonly Column[],
) {
  const values = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(columns.map((column) => [column, values[toMemberName(column)]])) as {
    readonly [Each in Column]: MemberName<Each> extends keyof Value
      ? Value[MemberName<Each>]
      : undefined
  }
}

function toMemberName(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
