// weir prices update

import { readUser } from '../../accounts/command-actor.ts'
import type { PriceUpdateFault } from '../../core/telemetry.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { WeirErrorCode } from '../../core/weir-error.ts'
import { describeUpdate, updatePrices } from '../../pricing/service/price-update.ts'
import type { UpdateOutcome } from '../../pricing/service/price-update.ts'
import { printJson, refused, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { withStores } from './with-stores.ts'
import { formatImport, toImportJson } from './import-view.ts'

const pricesUpdateCommand: CommandBody = {
  usage: 'weir prices update [options]',
  options: {
    check: { type: 'boolean', about: 'show what would change, and change nothing' },
    force: {
      type: 'boolean',
      about: 'apply even what looks like a mistake: large price changes, older data',
    },
  },
  run: update,
}

export const commands: Readonly<Record<string, CommandBody>> = {
  'prices update': pricesUpdateCommand,
}

const CODES = {
  unreachable: 'upstream_unreachable',
  timeout: 'upstream_timeout',
  http_error: 'upstream_unreachable',
  redirect: 'upstream_unreachable',
  too_large: 'body_too_large',
  invalid: 'invalid_argument',
} as const satisfies Record<PriceUpdateFault, WeirErrorCode>

async function update(input: CommandInput): Promise<number> {
  const mode = readMode(input)
  const { clock } = input
  const outcome = await withStores(
    input,
    ({ config, settings, usage }) =>
      updatePrices({ config, settings, usage, clock, who: readUser(), mode }),
    { canCreate: mode !== 'check' },
  )
  refuseFailed(outcome)
  if (input.isJson) printJson(input, toUpdateJson(outcome))
  else input.out(formatOutcome(outcome).map(toPrintable).join('\n'))
  return 0
}

function readMode({ values }: CommandInput): 'check' | 'apply' | 'force' {
  if (values['check'] === true && values['force'] === true) {
    throw new UsageError('--check and --force exclude each other.', 'Run --check first.')
  }
  if (values['check'] === true) return 'check'
  return values['force'] === true ? 'force' : 'apply'
}

function refuseFailed(outcome: UpdateOutcome): void {
  if (outcome.kind === 'waiting') {
    throw refused(
      ['The published price data was not applied.', ...outcome.doubts].map(toPrintable).join('\n'),
      'Review the changes with --check; if they are right, add --force.',
    )
  }
  if (!('reason' in outcome)) return
  const words = describeUpdate(outcome.kind, outcome.reason)
  throw new WeirError(CODES[outcome.kind], toPrintable(`Nothing was changed: ${words}.`), {
    hint: 'Check prices.updateUrl and upstream.httpsProxy, or import a file with weir prices import.',
  })
}

function toUpdateJson(outcome: UpdateOutcome): Record<string, unknown> {
  const result = { result: outcome.kind }
  if (!('checked' in outcome)) return result
  return { ...result, ...toImportJson({ ...outcome, isTrial: outcome.kind === 'available' }) }
}

function formatOutcome(outcome: UpdateOutcome): readonly string[] {
  if ('checked' in outcome) {
    return formatImport({ ...outcome, isTrial: outcome.kind === 'available' })
  }
  return ['Nothing new was published; the prices are the newest.']
}
