// weir reprice

import { requireProvider } from '../../api/prices/require-provider.ts'
import { repriceRecorded } from '../../pricing/service/price-reprice.ts'
import type { RepriceScope } from '../../pricing/service/price-reprice.ts'
import { invalidArgument, printJson, textOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { noSuch, toId } from '../api.ts'
import { KEY } from '../keys/read-keys.ts'
import { quoteWord } from '../printable.ts'
import { formatRepricings, formatResult, toRepricingJson, toResultJson } from './reprice-view.ts'
import { whenOption } from '../when.ts'
import { withStores } from './with-stores.ts'
import type { Stores } from './with-stores.ts'

const LOG_ROWS_MAX = 100
const PROGRESS_CALLS = 50_000

const repriceCommand: CommandBody = {
  usage: 'weir reprice [options]',
  options: {
    from: { type: 'string', value: 'WHEN', about: 'only calls that ended then or later' },
    to: { type: 'string', value: 'WHEN', about: 'only calls that ended before then' },
    provider: { type: 'string', value: 'P', about: 'only calls to this provider' },
    model: {
      type: 'string',
      value: 'PATTERN',
      about: 'only calls of this model, * for any characters',
    },
    'api-key': { type: 'string', value: 'ID', about: 'only calls with this key' },
    all: { type: 'boolean', about: 'also calls whose cost was computed, not only unpriced ones' },
    apply: { type: 'boolean', about: 'change the costs' },
    log: { type: 'boolean', about: 'list past repricings' },
  },
  run: async (input) => (input.values['log'] === true ? showLog(input) : run(input)),
}

export const commands: Readonly<Record<string, CommandBody>> = { reprice: repriceCommand }

async function run(input: CommandInput): Promise<number> {
  const scope = readScope(input)
  const isApplied = input.values['apply'] === true
  const result = await withStores(input, async (stores) => {
    await requireProvider(stores, scope.provider)
    await requireKey(stores, scope.keyId)
    return repriceRecorded({
      ...stores,
      clock: input.clock,
      scope,
      isApplied,
      onProgress: createProgress(input),
    })
  })
  if (input.isJson) printJson(input, toResultJson(result))
  else input.out(formatResult(result, { isApplied, line: toApplyLine(input) }))
  return 0
}

async function requireKey({ settings }: Stores, id: string | null): Promise<void> {
  const isKnown = id === null || (await settings.keys.list()).some((key) => key.id === id)
  if (!isKnown) throw noSuch(KEY, id)
}

async function showLog(input: CommandInput): Promise<number> {
  const others = Object.keys(input.values).filter(
    (name) => !['log', 'json', 'config'].includes(name),
  )
  if (others.length > 0) {
    throw new UsageError(
      `--log cannot be combined with --${others[0]}.`,
      'Run weir reprice --log alone.',
    )
  }
  const rows = await withStores(input, ({ usage }) => usage.upkeep.listRepricings(LOG_ROWS_MAX))
  if (input.isJson) printJson(input, { repricings: rows.map(toRepricingJson) })
  else input.out(formatRepricings(rows))
  return 0
}

function readScope(input: CommandInput): RepriceScope {
  const fromMs = whenOption(input, 'from') ?? null
  const toMs = whenOption(input, 'to') ?? null
  if (fromMs !== null && toMs !== null && fromMs >= toMs) {
    throw invalidArgument(
      '--from is not before --to.',
      '--to is exclusive: the first moment that is not included.',
    )
  }
  const key = textOption(input, 'api-key')
  return {
    fromMs,
    toMs,
    keyId: key === undefined ? null : toId(key),
    provider: textOption(input, 'provider') ?? null,
    model: textOption(input, 'model') ?? null,
    isAll: input.values['all'] === true,
  }
}

/** On standard error: programs read the result from standard output. */
function createProgress(input: CommandInput): (looked: number) => void {
  let next = PROGRESS_CALLS
  return (looked) => {
    if (looked < next) return
    next = looked + PROGRESS_CALLS
    input.err(`${looked} calls checked`)
  }
}

function toApplyLine(input: CommandInput): string {
  const words = Object.entries(input.values).flatMap(([name, value]) => {
    if (typeof value === 'string') return [`--${name} ${quoteWord(value)}`]
    return value === true ? [`--${name}`] : []
  })
  return ['weir reprice', ...words, '--apply'].join(' ')
}
