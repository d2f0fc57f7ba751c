// weir alerts targets, add, test and remove: whom alerts go to that belong to no budget.

import type { TargetList, TargetRow } from '../../api/contract.ts'
import { WeirError } from '../../core/weir-error.ts'
import { apiCommand, noSuch } from '../api.ts'
import type { Api } from '../api.ts'
import { UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { cutCell, formatRows, formatTime } from '../table.ts'
import {
  describeSecrets,
  readTargets,
  refuseKnown,
  TARGET_OPTIONS,
  TARGET_REFUSALS,
} from './new-targets.ts'
import { showTested, testTargets } from './test-targets.ts'

const ADDRESS_CHARS_MAX = 80
const ADD_USAGE = 'weir alerts add --webhook URL | --slack URL | --email ADDRESS [options]'

const SHARED = { scope: 'write:budgets,read:usage', ...TARGET_REFUSALS }
const ONE = { ...SHARED, arguments: ['ID'] }

export const commands: Commands = {
  'alerts targets': apiCommand({ scope: 'read:usage', run: list }),
  'alerts add': apiCommand({
    ...SHARED,
    canCreate: true,
    usage: ADD_USAGE,
    options: TARGET_OPTIONS,
    run: add,
  }),
  'alerts test': apiCommand({ ...ONE, run: test }),
  'alerts remove': apiCommand({ ...ONE, run: remove }),
}

const PATH = '/v1/targets'

async function list(_: CommandInput, api: Api): Promise<Shown> {
  const rows = await api.list<TargetRow>(PATH)
  const targets = rows.filter((row) => row.budget_id === null).map(toGeneral)
  const call = 'weir alerts add --webhook URL, --slack URL or --email ADDRESS'
  const none = `No one is notified of anomalies yet. Add a target: ${call}`
  return { json: { targets }, text: targets.length === 0 ? none : formatTargets(targets) }
}

async function add(input: CommandInput, api: Api): Promise<Shown> {
  const targets = readTargets(input)
  if (targets.length === 0) throw new UsageError('No target was given.', `Usage: ${ADD_USAGE}`)
  const known = (await api.list<TargetRow>(PATH)).filter((row) => row.budget_id === null)
  refuseKnown(targets, known)
  const { rows } = await api.send<TargetList>('POST /v1/targets/batch', { targets })
  const made = rows.map(toGeneral)
  const headline = 'These now receive alerts that belong to no budget, such as anomalies:'
  const text = [headline, formatTargets(made), ...describeSecrets(made)].join('\n')
  return { json: { targets: made }, text }
}

async function test({ arguments: [id = ''] }: CommandInput, api: Api): Promise<Shown> {
  const rows = await api.list<TargetRow>(PATH)
  const target = rows.find((row) => row.id === id)
  if (target === undefined) {
    const ids = rows.map((row) => row.id)
    const places =
      'weir alerts targets shows the ids; weir budgets list --json shows those of budgets.'
    const hint = suggest(id, ids) ?? places
    throw new WeirError('not_found', `There is no target ${toPrintable(id)}.`, { hint })
  }
  const tested = await testTargets(api, [target])
  return showTested(tested, tested[0])
}

async function remove({ arguments: [id = ''] }: CommandInput, api: Api): Promise<Shown> {
  checkGeneral(await api.list<TargetRow>(PATH), id)
  const target = toGeneral(await api.send<TargetRow>(`DELETE ${PATH}/${id}`))
  const text = `${target.kind} ${toPrintable(target.address)} was removed and gets no more alerts.`
  return { json: target, text }
}

/** Throws, and suggests the nearest id, when there is none, or it belongs to a budget. */
function checkGeneral(rows: readonly TargetRow[], id: string): void {
  const owner = rows.find((row) => row.id === id)?.budget_id
  if (owner === null) return
  const general = rows.filter((row) => row.budget_id === null)
  const noun = { noun: 'general target', list: 'weir alerts targets' }
  if (owner === undefined) throw noSuch(noun, id, general)
  throw new WeirError('not_found', `There is no general target ${toPrintable(id)}.`, {
    hint: `It belongs to a budget: weir budgets update ${owner} --remove-target ${id}`,
  })
}

type GeneralTarget = Omit<TargetRow, 'budget_id'>

function toGeneral(row: TargetRow): GeneralTarget {
  const { budget_id: _, ...target } = row
  return target
}

function formatTargets(targets: readonly GeneralTarget[]): string {
  return formatRows(targets, {
    ID: ({ id }) => id,
    KIND: ({ kind }) => kind,
    CREATED: (target) => formatTime(target.created_at),
    ADDRESS: ({ address }) => cutCell(address, ADDRESS_CHARS_MAX),
  })
}
