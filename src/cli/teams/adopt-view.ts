// How teams are shown that a dimension makes. Money is exact: finance will add it up.

import type { TeamAdoptionAnswer } from '../../api/contract.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable } from '../table.ts'

const ROWS_SHOWN_MAX = 20

interface Sum {
  readonly calls: number
  readonly cost_usd: string
}

/** `line` does it. */
export function formatAdoption(answer: TeamAdoptionAnswer, line: string): string {
  const { dim, dry_run: isTrial, months, gone, no_key: noKey } = answer
  const [teams, keys] = [toLeftFirst(answer.teams), toLeftFirst(answer.keys)]
  const made = teams.filter(({ state }) => state === 'new').length
  const moved = keys.filter(({ state }) => state === 'moved').length
  const coming = keys.filter(({ state }) => state !== 'left').length
  const toRow = (label: string, sum: Sum): string[] => [label, String(sum.calls), sum.cost_usd]
  const toMonths = (sums: readonly (Sum & { month: string })[]) =>
    sums.map((sum) => toRow(sum.month, sum))
  const sums = ['CALLS', 'COST USD']
  const lines = [
    ...formatList(
      '',
      ['TEAM', 'NAME', 'VALUES', ...sums, ''],
      teams.map((team) => [
        ...[team.slug || '-', team.name, team.values.join(', ')].map(toCell),
        String(team.calls),
        team.cost_usd,
        TEAM_STATES[team.state](toPrintable(team.why ?? '')),
      ]),
    ),
    ...formatList(
      '',
      ['KEY', 'NAME', 'VALUE', ''],
      keys.map(({ id, name, value, slug, state, why }) => [
        id,
        toCell(name),
        toCell(value),
        KEY_STATES[state](slug, toPrintable(why ?? '')),
      ]),
    ),
    ...formatList(
      'Past calls of these keys without a team, refused ones included:',
      ['MONTH', ...sums],
      toMonths(months),
    ),
    ...formatList(
      'No longer kept, so their months stay without a team for them:',
      ['MONTH', ...sums],
      toMonths(gone),
    ),
    ...formatList(
      `Values of ${dim} that callers sent and no key has locked; they make no team:`,
      ['VALUE', ...sums],
      noKey.map(({ value, ...sum }) => toRow(toCell(value), sum)),
    ),
  ]
  if (made + moved + answer.calls === 0) {
    const lock = coming > 0 ? '' : ' A key comes to a team by a locked dimension.'
    return [...lines, `There is nothing to do.${lock}`].join('\n')
  }
  const calls = `${toCount(answer.calls, 'past call')} (${answer.cost_usd} USD)`
  const counts = `${toCount(made, 'new team')}, ${toCount(moved, 'key')} moved, ${calls} booked`
  const next = `${counts}. Nothing was changed. To do it:\n  ${line}`
  if (isTrial) return [...lines, next].join('\n')
  const [team] = teams.filter(({ state }) => state !== 'left')
  return [
    ...lines,
    `Done: ${counts}.`,
    'Calls that were running meanwhile may have no team yet: run it again to book them.',
    `Add people: weir teams add ${team?.slug ?? 'TEAM'} EMAIL --lead`,
  ].join('\n')
}

type Teams = TeamAdoptionAnswer['teams']
type Keys = TeamAdoptionAnswer['keys']

const TEAM_STATES: Readonly<Record<Teams[number]['state'], (why: string) => string>> = {
  new: () => 'new',
  known: () => 'is there',
  left: (why) => `left: ${why}`,
}

const KEY_STATES: Readonly<Record<Keys[number]['state'], (slug: string, why: string) => string>> = {
  moved: (slug) => `comes to ${slug}`,
  there: (slug) => `is in ${slug}`,
  left: (_, why) => `left alone: ${why}`,
}

/** What somebody should look at. */
function toLeftFirst<Row extends { readonly state: string }>(rows: readonly Row[]): readonly Row[] {
  const isLeft = ({ state }: Row): number => (state === 'left' ? 1 : 0)
  return rows.toSorted((one, other) => isLeft(other) - isLeft(one))
}

/** Nothing where there is nothing to show. */
function formatList(
  title: string,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return []
  const left = rows.length - ROWS_SHOWN_MAX
  return [
    ...(title === '' ? [] : [title]),
    formatTable([heading, ...rows.slice(0, ROWS_SHOWN_MAX)]),
    ...(left > 0 ? [`… and ${left} more; --json has all of them`] : []),
    '',
  ]
}

function toCell(text: string): string {
  return cutCell(toPrintable(text), 30)
}

function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
