// What budgets have spent, and what changed most, wherever it is shown, and how each place is read.

import type {
  Analysis,
  BudgetList,
  BudgetPeriodList,
  KeyBudgetList,
  Overview,
} from '../../src/api/contract.ts'
import { askAgent, askApi, askCommand, toWords } from './figure-places.ts'
import type { Marked, PlacesOptions } from './figure-places.ts'
import { openPage } from './open-scene.ts'

/** By the id of a budget. */
type Spent = Readonly<Record<string, number>>

/** What budgets have spent in the period that runs, wherever it is shown. */
export function listBudgetPlaces(options: PlacesOptions, keyId: string) {
  const { page } = options
  const of = ({ rows }: Pick<BudgetList, 'rows'>): Spent =>
    Object.fromEntries(rows.map(({ id, spent_usd: spent }) => [id, spent]))
  const onPage = async (path: string): Promise<Spent> => {
    await openPage(page, path)
    await page.locator('[data-figure="spent"]').first().waitFor()
    return Object.fromEntries(await page.evaluate<[string, number][]>(READ_BUDGETS))
  }
  const inPeriods = async (): Promise<Spent> => {
    const { rows } = await askApi<BudgetList>(options, '/v1/budgets')
    const all = rows.map(async ({ id }): Promise<[string, number]> => {
      const path = `/v1/budgets/${id}/periods`
      const [running] = (await askApi<BudgetPeriodList>(options, path)).rows
      return [id, running?.spent_usd ?? Number.NaN]
    })
    return Object.fromEntries(await Promise.all(all))
  }
  return {
    all: {
      '/v1/budgets': async () => of(await askApi<BudgetList>(options, '/v1/budgets')),
      'the periods of a budget': inPeriods,
      'weir budgets list': async () => {
        type Listed = { readonly budgets: BudgetList['rows'] }
        const { budgets } = await askCommand<Listed>(options, ['budgets', 'list'])
        return of({ rows: budgets })
      },
      'list_budgets of MCP': async () =>
        of(await askAgent(options)<BudgetList>('list_budgets', {})),
      Budgets: () => onPage('/budgets'),
    },
    ofKey: {
      '/v1/keys/{id}/budgets': async () =>
        of(await askApi<KeyBudgetList>(options, `/v1/keys/${keyId}/budgets`)),
      'the page of a key': () => onPage(`/keys/${keyId}`),
    },
  }
}

const READ_BUDGETS = `[...document.querySelectorAll('tr:has([data-figure="spent"])')].map((row) => [
  row.querySelector('a').hash.slice(1),
  Number(row.querySelector('[data-figure="spent"]').dataset.value),
])`

/** A group, and what its cost changed by, largest first. */
type Moved = readonly (readonly [label: string, usd: number])[]

/** What changed most by team, wherever it is shown. */
export function listMoverPlaces(options: PlacesOptions) {
  const { page } = options
  const by = 'dim:team'
  const question = { group_by: by, compare: 'previous', order_by: 'change' }
  const of = ({ rows, previous }: Analysis): Moved =>
    rows.map(({ group: [member], cost_usd: now }, place) => {
      const before = previous?.rows.find(({ row }) => row === place)
      return [member?.value ?? '', now - (before?.cost_usd ?? 0)]
    })
  return {
    '/v1/overview': async (): Promise<Moved> => {
      const { breakdown } = await askApi<Overview>(options, '/v1/overview', { group_by: by })
      return (breakdown?.movers ?? []).map(({ group, cost_usd: now, before_cost_usd: before }) => [
        group.value ?? '',
        (now ?? 0) - (before ?? 0),
      ])
    },
    '/v1/analysis': async () => of(await askApi<Analysis>(options, '/v1/analysis', question)),
    'weir analyze': async () => of(await askCommand(options, ['analyze', ...toWords(question)])),
    'analyze_usage of MCP': async () =>
      of(await askAgent(options)<Analysis>('analyze_usage', { ...question, group_by: [by] })),
    Overview: async (): Promise<Moved> => {
      await openPage(page, `/?group_by=${by}`)
      const all = page.locator('[data-figure="mover"]')
      await all.first().waitFor()
      return all.evaluateAll((movers) =>
        (movers as unknown as readonly Marked[]).map(({ dataset: { label = '', value } }) => [
          label,
          Number(value),
        ]),
      )
    },
  }
}
