// What FOCUS 1.2 asks of a cost and usage file, row by row: names and order, types, formats,
// allowed values, nulls, and the columns that depend on each other. Returns the faults in
// sentences.

import { FOCUS_COLUMNS } from '../../src/api/exports/focus-columns.ts'
import type { FocusColumn } from '../../src/api/exports/focus-columns.ts'
import { parseMoney } from '../../src/core/money.ts'
import { findRule, FOCUS_MANDATORY } from './focus-specification.ts'
import type { CsvFile, CsvRow } from './parse-csv.ts'

// NumericFormat: no exponent, no plus sign, nothing but digits, one point and a minus sign.
const DECIMAL = /^-?\d+(?:\.\d+)?$/
// DateTimeFormat: the extended form in UTC, whole seconds.
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/

/** Column by column: empty as often as the other. */
const NULL_TOGETHER: readonly (readonly [string, string])[] = [
  ['RegionId', 'RegionName'],
  ['ResourceId', 'ResourceType'],
  ['SubAccountId', 'SubAccountName'],
  ['SubAccountId', 'SubAccountType'],
  ['SkuId', 'SkuMeter'],
  ['PricingQuantity', 'PricingUnit'],
  ['ConsumedQuantity', 'ConsumedUnit'],
]

export function findFocusFaults(
  { names, rows }: CsvFile,
  known: readonly FocusColumn[] = FOCUS_COLUMNS,
): readonly string[] {
  const faults: string[] = []
  if (names.join() !== known.map(({ name }) => name).join()) {
    faults.push('the columns are not those of the table, or in another order')
  }
  for (const name of FOCUS_MANDATORY) {
    if (!names.includes(name)) faults.push(`${name} is mandatory and absent`)
  }
  const parents = new Map<string, string>()
  rows.forEach((row, at) => {
    const found = [
      ...known.flatMap((column) => checkValue(column, row[column.name] ?? '')),
      ...checkTogether(row),
      ...checkOneParent(row, parents),
    ]
    faults.push(...found.map((fault) => `row ${at + 1}: ${fault}`))
  })
  return faults
}

function checkValue(column: FocusColumn, value: string): readonly string[] {
  const { name } = column
  const { type, allowsNull, allowed } = findRule(column)
  if (value === '') return allowsNull ? [] : [`${name} must not be null`]
  if (allowed !== undefined && !allowed.includes(value)) return [`${name} may not be ${value}`]
  switch (type) {
    case 'Decimal':
      return DECIMAL.test(value) ? [] : [`${name} is not a decimal: ${value}`]
    case 'DateTime':
      return DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
        ? []
        : [`${name} is not a time: ${value}`]
    case 'JSON':
      return isKeyValue(value) ? [] : [`${name} is no object of plain values: ${value}`]
    case 'String':
      return value.trim() === '' ? [`${name} is blank`] : []
  }
}

function isKeyValue(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.values(value).every((each) => typeof each !== 'object' || each === null)
  } catch {
    return false
  }
}

function checkTogether(row: CsvRow): readonly string[] {
  const faults: string[] = []
  const expect = (isTrue: boolean, fault: string): void => {
    if (!isTrue) faults.push(fault)
  }
  const money = (name: string): bigint => parseMoney(row[name] ?? '') ?? -1n
  const quantity = BigInt(row['PricingQuantity'] ?? '0')
  expect(quantity > 0n, 'PricingQuantity must be above 0')
  // Both are conditional columns: a sum over calls has costs, and no price of one unit.
  if (row['ListUnitPrice'] !== undefined) {
    expect(quantity * money('ListUnitPrice') === money('ListCost'), 'quantity × list price')
    expect(money('ListUnitPrice') >= 0n, 'a list price below 0')
  }
  if (row['ContractedUnitPrice'] !== undefined) {
    expect(quantity * money('ContractedUnitPrice') === money('ContractedCost'), 'quantity × price')
    expect(money('ContractedUnitPrice') >= 0n, 'a price below 0')
  }
  expect(Number(row['ConsumedQuantity']) > 0, 'ConsumedQuantity must be above 0')
  for (const [one, other] of NULL_TOGETHER) {
    expect((row[one] === '') === (row[other] === ''), `${one} and ${other} are null together`)
  }
  expect(row['ChargeClass'] === '', 'there are no corrections')
  expect(
    row['ProviderName'] === row['InvoiceIssuerName'] || money('BilledCost') === 0n,
    'what another bills must have BilledCost 0',
  )
  const [start = '', end = ''] = [row['ChargePeriodStart'], row['ChargePeriodEnd']]
  expect(start < end, 'the charge period ends before it begins')
  const [from = '', to = ''] = [row['BillingPeriodStart'], row['BillingPeriodEnd']]
  expect(end > from && end <= to, 'the charge period ends outside the billing period')
  return faults
}

/** SkuPriceId must have one and only one parent SkuId. */
function checkOneParent(row: CsvRow, parents: Map<string, string>): readonly string[] {
  const { SkuPriceId: price = '', SkuId: sku = '' } = row
  const parent = parents.get(price) ?? sku
  parents.set(price, parent)
  return parent === sku ? [] : [`${price} belongs to ${parent} and to ${sku}`]
}
