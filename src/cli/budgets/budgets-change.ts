// weir budgets create and update

import type { Budget } from '../../../client/weir-client.js'
import { findKnownProvider } from '../../api/keys/key-check.ts'
import { loadConfig } from '../../config/config.ts'
import { WeirError } from '../../core/weir-error.ts'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import { addTargets, readTargets, TARGET_OPTIONS, TARGET_REFUSALS } from '../alerts/new-targets.ts'
import type { NewTarget } from '../alerts/new-targets.ts'
import { apiCommand, noSuch } from '../api.ts'
import type { Api } from '../api.ts'
import { listOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { readFields, toOptions } from '../field-options.ts'
import { KEY, readKeys, requireKey } from '../keys/read-keys.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { showBudget } from './budget-view.ts'
import { findBudget, readBudgets } from './read-budgets.ts'

const SHARED = { scope: 'write:budgets,read:usage', ...TARGET_REFUSALS }

export const commands: Commands = {
  'budgets create': apiCommand({
    ...SHARED,
    canCreate: true,
    options: { ...toOptions(BUDGET_FIELDS, { isNew: true }), ...TARGET_OPTIONS },
    run: create,
  }),
  'budgets update': apiCommand({
    ...SHARED,
    arguments: ['ID'],
    options: {
      ...toOptions(BUDGET_FIELDS),
      'no-block': { type: 'boolean', about: 'no longer refuse calls' },
      ...TARGET_OPTIONS,
      'remove-target': {
        type: 'string',
        multiple: true,
        value: 'ID',
        about: 'stop sending alerts to it; weir budgets list --json shows the ids',
      },
    },
    run: update,
  }),
}

async function create(input: CommandInput, api: Api): Promise<Shown> {
  const body = { ...readFields(BUDGET_FIELDS, input), targets: readTargets(input) }
  await requireScope(input, api, body.scope)
  const budget = await api.send<Budget>('POST /v1/budgets', body)
  const since = `It counts what is spent since ${budget.period_start.slice(0, 10)}`
  return showBudget(
    budget,
    `Budget ${budget.id} (${toPrintable(budget.name)}) was created. ${since}.`,
  )
}

/** A scope of what is not there is refused by the API, too, but without what may be meant. */
async function requireScope(input: CommandInput, api: Api, scope = ''): Promise<void> {
  const [, provider] = /^provider=(.+)$/.exec(scope) ?? []
  if (provider !== undefined && api.url === null) {
    findKnownProvider(loadConfig({ file: input.configFile }), provider)
  }
  const [, id] = /^api_key=(svc_k_\w+)$/.exec(scope) ?? []
  if (id === undefined) return
  await requireKey(api, id).catch(async (error: unknown) => {
    if (!(error instanceof WeirError) || error.code !== 'not_found') throw error
    throw noSuch(KEY, id, await readKeys(api))
  })
}

async function update(input: CommandInput, api: Api): Promise<Shown> {
  const id = input.arguments[0] as string
  const change = readChange(input)
  const targets = readTargets(input)
  const removed = listOption(input, 'remove-target') ?? []
  if (Object.keys(change).length + targets.length + removed.length === 0) {
    throw new UsageError('No change was given.', 'See weir budgets update --help.')
  }
  const before = findBudget(await readBudgets(api), id)
  checkRemoved(before, removed)
  await requireScope(input, api, change.scope)
  const budget = await changeBudget(api, before, { change, targets, removed })
  const what = 'was changed; the ledger checks it again within a second'
  return showBudget(budget, `Budget ${id} (${toPrintable(budget.name)}) ${what}.`)
}

function readChange(input: CommandInput) {
  const { block, 'no-block': noBlock } = input.values
  if (block === true && noBlock === true) {
    throw new UsageError('--block and --no-block contradict each other.', 'Give only one of them.')
  }
  return { ...readFields(BUDGET_FIELDS, input), ...(noBlock === true && { blocking: false }) }
}

interface Change {
  readonly change: object
  readonly targets: readonly NewTarget[]
  readonly removed: readonly string[]
}

/**
 * New targets first: a changed limit may send alerts at once, and they must reach them. One that
 * takes the place of itself, for another secret, comes last: it was allowed before.
 */
async function changeBudget(api: Api, before: Budget, change: Change): Promise<Budget> {
  const path = `/v1/budgets/${before.id}` as const
  const known = before.targets.filter(({ id }) => !change.removed.includes(id))
  const replaced = before.targets.filter(({ id }) => change.removed.includes(id))
  const isReplaced = (target: NewTarget): boolean => {
    return replaced.some(({ kind, address }) => kind === target.kind && address === target.address)
  }
  const add = (targets: readonly NewTarget[]) =>
    addTargets<Budget>(api, { path: `${path}/targets`, targets, known })
  const added = await add(change.targets.filter((target) => !isReplaced(target)))
  if (Object.keys(change.change).length > 0) {
    await api.send(`PATCH ${path}`, change.change).catch(async (error: unknown) => {
      await added.undo()
      throw error
    })
  }
  for (const { id } of replaced) await api.send(`DELETE /v1/targets/${id}`)
  const again = await add(change.targets.filter(isReplaced))
  const made = [...added.answers, ...again.answers].flatMap(({ targets }) => targets)
  return showSecrets(findBudget(await readBudgets(api), before.id), made)
}

/** Each was in the answer that made its target, and in no other. */
function showSecrets(budget: Budget, made: Budget['targets']): Budget {
  const secrets = new Map(made.flatMap(({ id, secret }) => (secret ? [[id, secret]] : [])))
  const targets = budget.targets.map((target) => {
    const secret = secrets.get(target.id)
    return secret === undefined ? target : { ...target, secret }
  })
  const [first] = secrets.values()
  return { ...budget, targets, ...(first !== undefined && { webhook_secret: first }) }
}

function checkRemoved({ id, targets }: Budget, removed: readonly string[]): void {
  const known = targets.map((target) => target.id)
  const wrong = removed.find((each) => !known.includes(each))
  if (wrong === undefined) return
  const hint = suggest(wrong, known) ?? `It has: ${known.join(', ') || 'none'}.`
  throw new WeirError('not_found', `${id} has no target ${toPrintable(wrong)}.`, { hint })
}
