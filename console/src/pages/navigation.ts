// Which pages the navigation has for who has signed in. Who sees the whole company has them all;
// who has only teams, those that answer them.

import type { SessionAnswer } from '../../../src/api/contract.ts'
import { canDo, seesCompany } from '../data/session.ts'
import type { Scope } from '../data/session.ts'

/** Only of those who have no role in the company. */
export const OWN_PAGE = '/my-keys'

/** Of those who have only teams: what a page asks for; null: nothing. Others they have not. */
const NEEDS: Readonly<Record<string, Scope | null>> = {
  [OWN_PAGE]: null,
  // Leads have it; members have no keys but their own.
  '/': 'write:budgets',
  '/keys': 'write:budgets',
  '/explore': 'read:usage',
  '/requests': 'read:requests',
  '/performance': 'read:usage',
  '/teams': 'read:keys',
  '/start': 'write:keys',
  '/budgets': 'read:usage',
  '/settings': null,
}

interface Group<Item> {
  readonly items: readonly Item[]
}

export function toNavigation<Item extends { readonly href: string }, Of extends Group<Item>>(
  groups: readonly Of[],
  session: SessionAnswer,
): readonly Of[] {
  const hasCompany = seesCompany(session)
  const isFor = ({ href }: Item): boolean => {
    if (hasCompany) return href !== OWN_PAGE
    const need = NEEDS[href]
    return need === null || (need !== undefined && canDo(session, need))
  }
  return groups
    .map((group) => ({ ...group, items: group.items.filter(isFor) }))
    .filter(({ items }) => items.length > 0)
}
