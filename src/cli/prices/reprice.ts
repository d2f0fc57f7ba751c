// weir reprice

import type { RepriceOutcome, RepricingList } from '../../api/contract.ts'
import { toIso } from '../../api/iso-time.ts'
import { apiCommand, toId } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, invalidArgument, option, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { requireKey } from '../keys/read-keys.ts'
import { quoteWord } from '../printable.ts'
import { whenOption } from '../when.ts'
import { formatRepricings, formatResult } from './reprice-view.ts'

export const commands: Commands = {
  reprice: apiCommand({
    scope: 'write:prices,read:usage,read:keys',
    members: {},
    longHint:
      'It goes on there: weir reprice --log lists it once it is done. Or narrow it: --from, --to.',
    options: {
      from: option('WHEN', 'only calls that ended then or later'),
      to: option('WHEN', 'only calls that ended before then'),
      provider: option('P', 'only calls to this provider'),
      model: option('PATTERN', 'only calls of this model, * for any characters'),
      'api-key': option('ID', 'only calls with this key'),
      all: flag('also calls whose cost was computed, not only unpriced ones'),
      apply: flag('change the costs'),
      log: flag('list past repricings'),
    },
    run: (input, api) => (input.values['log'] === true ? showLog(input, api) : run(input, api)),
  }),
}

async function run(input: CommandInput, api: Api): Promise<Shown> {
  const body = readScope(input)
  if (body.api_key !== undefined) await requireKey(api, body.api_key)
  const answer = await api.send<RepriceOutcome>('POST /v1/prices/reprice', body)
  const { checked: _, ...json } = answer
  return { json, text: formatResult(answer, { isApplied: body.apply, line: toApplyLine(input) }) }
}

async function showLog({ values }: CommandInput, api: Api): Promise<Shown> {
  const allowed = ['log', 'json', 'config', 'url']
  const other = Object.keys(values).find((name) => !allowed.includes(name))
  if (other !== undefined) {
    const message = `--log cannot be combined with --${other}.`
    throw new UsageError(message, 'Run weir reprice --log alone.')
  }
  const { rows } = await api.get<RepricingList>('/v1/prices/repricings')
  return { json: { repricings: rows }, text: formatRepricings(rows) }
}

function readScope(input: CommandInput) {
  const from = whenOption(input, 'from')
  const to = whenOption(input, 'to')
  if (from !== undefined && to !== undefined && from >= to) {
    throw invalidArgument(
      '--from is not before --to.',
      '--to is exclusive: the first moment that is not included.',
    )
  }
  const key = textOption(input, 'api-key')
  return {
    from: from === undefined ? undefined : toIso(from),
    to: to === undefined ? undefined : toIso(to),
    api_key: key === undefined ? undefined : toId(key),
    provider: textOption(input, 'provider'),
    model: textOption(input, 'model'),
    all: input.values['all'] === true,
    apply: input.values['apply'] === true,
  }
}

function toApplyLine(input: CommandInput): string {
  const words = Object.entries(input.values).flatMap(([name, value]) => {
    if (typeof value === 'string') return [`--${name} ${quoteWord(value)}`]
    return value === true ? [`--${name}`] : []
  })
  return ['weir reprice', ...words, '--apply'].join(' ')
}
