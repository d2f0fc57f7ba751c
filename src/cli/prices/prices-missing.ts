// weir prices missing

import type { MissingPrice } from '../../../client/weir-client.js'
import { apiCommand } from '../api.ts'
import type { Commands } from '../command.ts'
import { quoteWord } from '../printable.ts'
import { cutCell, formatRows } from '../table.ts'

const TOKEN_UNITS: ReadonlySet<string> = new Set(['input', 'output'])

export const commands: Commands = {
  'prices missing': apiCommand({
    scope: 'read:usage',
    run: async (_, api) => {
      const rows = await api.list<MissingPrice>('/v1/prices/missing')
      return { json: { models: rows.map(toMissingJson) }, text: formatMissing(rows) }
    },
  }),
}

function toMissingJson(missing: MissingPrice): Record<string, unknown> {
  const { wants: _wants, units: _units, ...known } = missing
  return { ...known, command: toCommand(missing) }
}

/** Null where no price could fit. */
function toCommand(missing: MissingPrice): string | null {
  const { provider, model, wants, units, first_month: firstMonth } = missing
  if (model === null || wants === 'nothing') return null
  // A rule cannot contain spaces and the like: they become a star.
  const pattern = quoteWord(model.toLowerCase().replaceAll(/[^!-~]+/g, '*'))
  return wants === 'price'
    ? `weir prices set ${quoteWord(provider)} ${pattern} ${units.map(toOption).join(' ')} --from ${firstMonth}-01`
    : `weir reprice --provider ${quoteWord(provider)} --model ${quoteWord(model)}`
}

function toOption(unit: string): string {
  return TOKEN_UNITS.has(unit) ? `--${unit} USD` : `--per ${quoteWord(unit)}=USD`
}

function formatMissing(missing: readonly MissingPrice[]): string {
  if (missing.length === 0) return 'Every recorded call has a cost.'
  const lines = [
    formatRows(missing, {
      PROVIDER: ({ provider }) => provider,
      MODEL: ({ model }) => (model === null ? '(not stated)' : cutCell(model)),
      REQUESTS: ({ requests }) => String(requests),
      TOKENS: (each) => `${each.is_partial ? 'over ' : ''}${each.tokens}`,
      MONTHS: describeMonths,
    }),
    ...describeCommands(
      missing,
      'price',
      'To set a price (USD per million tokens; with --per, for one of them):',
    ),
    ...describeCommands(
      missing,
      'reprice',
      'These have a price now. To see what they cost, or what is still missing:',
    ),
  ]
  if (missing.some(({ wants }) => wants === 'price')) {
    lines.push('', 'Once a price is set, weir reprice gives recorded calls their cost.')
  }
  const without = missing.filter(({ wants }) => wants === 'nothing')
  if (without.some(({ model }) => model !== null)) {
    lines.push('', 'Where responses state the cost, as at a gateway, no price list applies.')
  }
  if (without.some(({ model }) => model === null)) {
    lines.push('', 'Calls that named no model cannot be priced.')
  }
  return lines.join('\n')
}

function describeMonths({ first_month: first, last_month: last }: MissingPrice): string {
  return first === last ? last : `${first} to ${last}`
}

function describeCommands(
  missing: readonly MissingPrice[],
  wants: MissingPrice['wants'],
  heading: string,
): string[] {
  const commands = missing.filter((each) => each.wants === wants).map(toCommand)
  return commands.length === 0 ? [] : ['', heading, ...commands.map((line) => `  ${line}`)]
}
