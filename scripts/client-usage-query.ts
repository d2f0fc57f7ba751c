// The catalogue as a type: a question compiles when src/api/usage/parse-usage-query.ts would answer
// it. Must stay true: the parts below say which parameters go together as it checks them;
// scripts/generate-client.test.ts tries them all.

import { CATALOGUE } from '../src/api/contract.ts'
import type { CatalogueRow, UsageWindow } from '../src/api/contract.ts'
import { toMembers } from './client-types.ts'
import type { Member } from './client-types.ts'

/** What a part says of a parameter: its type, or whether it is taken at all. */
type Use = 'required' | 'optional' | 'none' | { readonly type: string }
type Part = Readonly<Record<string, Use>>

const PARTS: Readonly<Record<string, Part>> = {
  Cost: { metric: { type: `'cost_usd'` }, api_key: 'optional' },
  'Count<Metric>': { metric: { type: 'Metric' }, api_key: 'none' },
  Total: { dimension: 'none', dim_key: 'none' },
  'By<Dimension>': { dimension: { type: 'Dimension' }, dim_key: 'none' },
  'ByDim<Dimension>': { dimension: { type: 'Dimension' }, dim_key: 'required' },
  'Over<Window>': { window: { type: 'Window' }, month: 'none', months: 'none' },
  OverMonth: { window: { type: `'month'` }, month: 'required', months: 'none' },
  OverSeries: { window: { type: `'monthly_series'` }, month: 'none', months: 'optional' },
  Cut: { limit: 'optional' },
}

/** `parameters` are the document's. */
export function renderUsageQuery(parameters: readonly Member[]): string {
  const parts = Object.entries(PARTS).map(([name, part]) => {
    const members = Object.entries(part).map(([parameter, use]) => toMember(parameter, use))
    return `interface ${name} ${toMembers(members)}`
  })
  const rows = CATALOGUE.map(renderRow)
  return [
    ...parts,
    `/** A question of the catalogue. What the catalogue does not hold does not compile. */
    export type UsageQuery = Cut & (\n| ${rows.join('\n| ')}\n)`,
  ].join('\n\n')

  function toMember(name: string, use: Use): Member {
    const parameter = parameters.find((each) => each.name === name)
    if (parameter === undefined) throw new Error(`The document has no parameter ${name}.`)
    if (use === 'none') return { name, type: 'undefined', isRequired: false }
    if (typeof use === 'object') return { ...parameter, type: use.type, isRequired: true }
    return { ...parameter, isRequired: use === 'required' }
  }
}

function renderRow({ metric, dimension, windows }: CatalogueRow): string {
  const counted = metric === 'cost_usd' ? 'Cost' : `Count<'${metric}'>`
  return `(${counted} & ${renderGrouping(dimension)} & (${renderWindows(windows)}))`
}

function renderGrouping(dimension: CatalogueRow['dimension']): string {
  if (dimension === null) return 'Total'
  const isByDim = dimension === 'dim' || dimension === 'dim_model'
  return `${isByDim ? 'ByDim' : 'By'}<'${dimension}'>`
}

function renderWindows(windows: readonly UsageWindow[]): string {
  const plain = windows.filter((window) => window !== 'month' && window !== 'monthly_series')
  return [
    ...(plain.length > 0 ? [`Over<${plain.map((window) => `'${window}'`).join(' | ')}>`] : []),
    ...(windows.includes('month') ? ['OverMonth'] : []),
    ...(windows.includes('monthly_series') ? ['OverSeries'] : []),
  ].join(' | ')
}
