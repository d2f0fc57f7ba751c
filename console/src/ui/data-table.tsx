// A table of records. It scrolls within itself, never the page. A row with a link has one real
// link, in its first cell, that covers the row.

import { Skeleton, UnstyledButton } from '@mantine/core'
import { Fragment } from 'react'
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
  /** Its share of the room that the others leave; what is longer ends in an ellipsis. */
  readonly grow?: number
  /** Left out at phone width; its content must be found behind the row. */
  readonly isWideOnly?: boolean
  /** Left out where the table is narrower than 66 rem, as on a screen of 1280 px. */
  readonly isExtra?: boolean
  readonly canOrder?: boolean
  /** Below the rows, such as their sum. */
  readonly foot?: ReactNode
}

export interface TableOrder {
  readonly columnId: string
  readonly direction: 'ascending' | 'descending'
}

/** Rows that open: each is an anchor of the page by its key, and at most one is open. */
export interface RowDetail<Row> {
  readonly openKey: string
  readonly content: (row: Row) => ReactNode
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
  readonly detail?: RowDetail<Row>
  /** What its row and those after it are, where the rows come in groups: a line above the first. */
  readonly group?: (row: Row) => string
  /** Shown in place of rows where there are none. */
  readonly empty: ReactNode
  readonly expected?: number
  /** Of text in a row, so that rows that are awaited are as high. */
  readonly lines?: 1 | 2
  readonly order?: TableOrder
  readonly onOrder?: (columnId: string) => void
  /** The head then stays visible while the rows scroll. CSS. */
  readonly maxHeight?: string
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, empty, maxHeight } = props
  if (rows === undefined && props.hasFailed === true) {
    return <p className="quiet empty">Could not be loaded.</p>
  }
  if (rows?.length === 0) return <div className="table-empty">{empty}</div>
  return (
    <div
      className="table-frame"
      role="group"
      aria-label={caption}
      aria-busy={rows === undefined}
      tabIndex={0}
      style={maxHeight === undefined ? undefined : { maxHeight }}
    >
      {rows === undefined ? (
        <AwaitedTable {...props} />
      ) : (
        <Table {...props} columns={toGrown(columns)} rows={rows} />
      )}
    </div>
  )
}

/** Where no column takes the room that is left, the first one does. */
function toGrown<Row>(columns: readonly TableColumn<Row>[]): readonly TableColumn<Row>[] {
  const sum = columns.reduce((total, { grow = 0 }) => total + grow, 0)
  return columns.map((column, place) => {
    const grow = sum === 0 ? (place === 0 ? 1 : 0) : (column.grow ?? 0) / sum
    return grow === 0 ? column : { ...column, grow }
  })
}

function Table<Row>(props: DataTableProps<Row> & { readonly rows: readonly Row[] }) {
  const { caption, columns, rows, group } = props
  const places = columns.map((column) => toPlaces(column, rows))
  return (
    <table className="table table-rows">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.id} column={column} {...toHeadOrder(props)} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const before = rows[index - 1]
          const heading = group?.(row)
          const isFirst = before === undefined || group?.(before) !== heading
          return (
            <Fragment key={props.rowKey(row)}>
              {heading !== undefined && isFirst && (
                <tr className="table-group">
                  <th scope="rowgroup" colSpan={columns.length}>
                    <span>{heading}</span>
                  </th>
                </tr>
              )}
              <TableRow
                id={props.rowKey(row)}
                row={row}
                columns={columns}
                places={places.map((column) => column[index])}
                href={props.rowHref?.(row)}
                detail={props.detail}
              />
            </Fragment>
          )
        })}
      </tbody>
      <Foot columns={columns} places={places.map((column) => column.at(-1))} />
    </table>
  )
}

/** Without names of columns, which would move when the widths of their contents are known. */
function AwaitedTable<Row>({ expected = 8, lines = 1 }: DataTableProps<Row>) {
  return (
    <table className="table" aria-hidden>
      <tbody>
        {Array.from({ length: expected + 1 }, (_, place) => (
          <tr key={place}>
            <td>
              <div style={{ height: `${place === 0 ? 1 : lines}lh` }}>
                <Skeleton h={12} w={`${90 - ((place * 17) % 40)}%`} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
  readonly id: string
  readonly row: Row
  /** Of the cells' amounts. */
  readonly places: readonly (PointAlignment | undefined)[]
  readonly columns: readonly TableColumn<Row>[]
  readonly href: string | undefined
  readonly detail: RowDetail<Row> | undefined
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { id, row, columns, detail } = props
  if (detail === undefined) return <Cells {...props} />
  const isOpen = detail.openKey === id
  return (
    <>
      <Cells {...props} isOpen={isOpen} />
      {isOpen && (
        <tr className="table-detail">
          <td colSpan={columns.length}>
            <div>{detail.content(row)}</div>
          </td>
        </tr>
      )}
    </>
  )
}

/** When it opens, whether by a click or by the address that the page was opened with. */
function showRow(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'nearest' })
}

type CellsProps<Row> = TableRowProps<Row> & { readonly isOpen?: boolean }

function Cells<Row>({ id, row, columns, places, href, isOpen }: CellsProps<Row>) {
  const linked = href === undefined ? undefined : 'table-linked'
  const look =
    isOpen === undefined
      ? { className: linked }
      : { id, className: `${linked ?? ''} ${isOpen ? 'table-open' : ''}` }
  return (
    <tr {...look} ref={isOpen === true ? showRow : undefined}>
      {columns.map((column, place) => (
        <td key={column.id} className={toClass(column)}>
          <Cut isCut={column.grow !== undefined}>
            {place === 0 && href !== undefined ? (
              <TextLink href={href} className="table-link" isOpen={isOpen}>
                {column.cell(row)}
              </TextLink>
            ) : (
              <Placed at={places[place]}>{column.cell(row)}</Placed>
            )}
          </Cut>
        </td>
      ))}
    </tr>
  )
}

function Cut({ isCut, children }: { readonly isCut: boolean; readonly children: ReactNode }) {
  return isCut ? <div className="clip">{children}</div> : children
}

interface PlacedProps {
  readonly at: PointAlignment | undefined
  readonly children: ReactNode
}

function Placed({ at, children }: PlacedProps) {
  // A block, or a second line in the cell would have an empty one below it.
  return at === undefined ? children : <span style={{ ...at, display: 'block' }}>{children}</span>
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
  const { id, header, grow, canOrder } = column
  const width = grow === undefined ? {} : { style: { width: `${grow * 100}%` } }
  if (canOrder !== true || onOrder === undefined) {
    return (
      <th scope="col" className={toClass(column)} {...width}>
        {header}
      </th>
    )
  }
  const direction = order?.columnId === id ? order.direction : null
  return (
    <th scope="col" className={toClass(column)} {...width} aria-sort={direction ?? 'none'}>
      <UnstyledButton className="table-order" onClick={() => onOrder(id)}>
        {header}
        {direction === 'ascending' && <UpIcon size={12} />}
        {direction === 'descending' && <DownIcon size={12} />}
      </UnstyledButton>
    </th>
  )
}

function toClass<Row>({ align, grow, isWideOnly, isExtra }: TableColumn<Row>): string {
  return [
    align === 'right' && 'cell-right',
    grow !== undefined && 'cell-grow',
    isWideOnly === true && 'wide-only',
    isExtra === true && 'cell-extra',
  ]
    .filter((name) => name !== false)
    .join(' ')
}
