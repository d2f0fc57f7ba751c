// Figures in columns: names to the left, numbers to the right.

export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  console.log(`\n${title}`)
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    console.log(`  ${cells.join('   ')}`.trimEnd())
  }
}
