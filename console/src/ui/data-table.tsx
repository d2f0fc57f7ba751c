// A table of records. It scrolls within itself, never the page. A row with a link has one real
// link, in its first cell, that covers the row.

import { Skeleton, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { alignPoints } from './align-points.ts'
import type { PointAlignment } from './align-points.ts'
import { DownIcon, UpIcon } from './icons.tsx'
import { TextLink } from './link.tsx'

export interface TableColumn<Row> {
  readonly id: string
  readonly header: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Figures are aligned right. */
  readonly align?: 'left' | 'right'
  /** The amount that the cell ends with, or null: those of a column have their points aligned. */
  readonly amount?: (row: Row) => string | null
  /** Left out at phone width; its content must be found behind the row. */
  readonly isWideOnly?: boolean
  readonly canOrder?: boolean
  /** Below the rows, such as their sum. */
  readonly foot?: ReactNode
}

export interface TableOrder {
  readonly columnId: string
  readonly direction: 'ascending' | 'descending'
}

export interface DataTableProps<Row> {
  /** What is listed, for screen readers. */
  readonly caption: string
  readonly columns: readonly TableColumn<Row>[]
  /** Undefined while they are loading. */
  readonly rows: readonly Row[] | undefined
  /** The reason is shown beside it. The table then neither waits nor says that it is empty. */
  readonly hasFailed?: boolean
  readonly rowKey: (row: Row) => string
  readonly rowHref?: (row: Row) => string | undefined
  /** Shown in place of rows where there are none. */
  readonly empty: ReactNode
  readonly expected?: number
  readonly order?: TableOrder
  readonly onOrder?: (columnId: string) => void
  /** The head then stays visible while the rows scroll. CSS. */
  readonly maxHeight?: string
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, empty, expected = 8, maxHeight } = props
  if (rows === undefined && props.hasFailed === true) {
    return <p className="quiet empty">Could not be loaded.</p>
  }
  if (rows?.length === 0) return <div className="table-empty">{empty}</div>
  const places = columns.map((column) => toPlaces(column, rows ?? []))
  return (
    <div
      className="table-frame"
      role="group"
      aria-label={caption}
      aria-busy={rows === undefined}
      tabIndex={0}
      style={maxHeight === undefined ? undefined : { maxHeight }}
    >
      <table
        className={maxHeight === undefined ? 'table table-rows' : 'table table-rows table-sticky'}
      >
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} {...toHeadOrder(props)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: expected }, (_, place) => (
                <tr key={place}>
                  {columns.map((column) => (
                    <td key={column.id} className={toClass(column)}>
                      <Skeleton h={14} my={4} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row, index) => (
                <TableRow
                  key={props.rowKey(row)}
                  row={row}
                  columns={columns}
                  places={places.map((column) => column[index])}
                  href={props.rowHref?.(row)}
                />
              ))}
        </tbody>
        {rows !== undefined && (
          <Foot columns={columns} places={places.map((column) => column.at(-1))} />
        )}
      </table>
    </div>
  )
}

const NO_PLACES: readonly undefined[] = []

/** Of the rows' amounts, and of the foot's behind them. */
function toPlaces<Row>({ amount, foot }: TableColumn<Row>, rows: readonly Row[]) {
  if (amount === undefined) return NO_PLACES
  return alignPoints([...rows.map(amount), typeof foot === 'string' ? foot : null])
}

interface FootProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly places: readonly (PointAlignment | undefined)[]
}

function Foot<Row>({ columns, places }: FootProps<Row>) {
  if (columns.every(({ foot }) => foot === undefined)) return null
  return (
    <tfoot>
      <tr>
        {columns.map((column, place) =>
          place === 0 ? (
            <th key={column.id} scope="row" className={toClass(column)}>
              {column.foot}
            </th>
          ) : (
            <td key={column.id} className={toClass(column)}>
              <Placed at={places[place]}>{column.foot}</Placed>
            </td>
          ),
        )}
      </tr>
    </tfoot>
  )
}

interface TableRowProps<Row> {
  readonly row: Row
  /** Of the cells' amounts. */
  readonly places: readonly (PointAlignment | undefined)[]
  readonly columns: readonly TableColumn<Row>[]
  readonly href: string | undefined
}

function TableRow<Row>({ row, columns, places, href }: TableRowProps<Row>) {
  return (
    <tr className={href === undefined ? undefined : 'table-linked'}>
      {columns.map((column, place) => (
        <td key={column.id} className={toClass(column)}>
          {place === 0 && href !== undefined ? (
            <TextLink href={href} className="table-link">
              {column.cell(row)}
            </TextLink>
          ) : (
            <Placed at={places[place]}>{column.cell(row)}</Placed>
          )}
        </td>
      ))}
    </tr>
  )
}

interface PlacedProps {
  readonly at: PointAlignment | undefined
  readonly children: ReactNode
}

function Placed({ at, children }: PlacedProps) {
  return at === undefined ? children : <span style={at}>{children}</span>
}

interface HeadOrder {
  readonly order: TableOrder | undefined
  readonly onOrder: ((columnId: string) => void) | undefined
}

function toHeadOrder<Row>({ order, onOrder }: DataTableProps<Row>): HeadOrder {
  return { order, onOrder }
}

interface HeadProps<Row> extends HeadOrder {
  readonly column: TableColumn<Row>
}

function Head<Row>({ column, order, onOrder }: HeadProps<Row>) {
  if (column.canOrder !== true || onOrder === undefined) {
    return (
      <th scope="col" className={toClass(column)}>
        {column.header}
      </th>
    )
  }
  const direction = order?.columnId === column.id ? order.direction : null
  return (
    <th scope="col" className={toClass(column)} aria-sort={direction ?? 'none'}>
      <UnstyledButton className="table-order" onClick={() => onOrder(column.id)}>
        {column.header}
        {direction === 'ascending' && <UpIcon size={12} />}
        {direction === 'descending' && <DownIcon size={12} />}
      </UnstyledButton>
    </th>
  )
}

function toClass<Row>({ align, isWideOnly }: TableColumn<Row>): string {
  const names = [align === 'right' ? 'cell-right' : '', isWideOnly === true ? 'wide-only' : '']
  return names.filter((name) => name !== '').join(' ')
}
