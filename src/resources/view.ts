// A saved view: a question of the console under a name. Whose it is, is code.

import { NAME_CHARS_MAX } from '../core/key-rules.ts'
import type { Fields } from './field.ts'

export const VIEW_PAGES = ['explore', 'performance'] as const

const QUERY_CHARS_MAX = 4000

export const VIEW_FIELDS = {
  name: {
    kind: 'name',
    charsMax: NAME_CHARS_MAX,
    isRequired: true,
    label: 'Name',
    example: 'Search, by model',
  },
  page: {
    kind: 'choice',
    choices: VIEW_PAGES,
    isRequired: true,
    label: 'Page',
    example: 'explore',
  },
  query: {
    kind: 'word',
    charsMax: QUERY_CHARS_MAX,
    // The characters that a query is written with (RFC 3986, section 3.4), and brackets.
    pattern: /^[A-Za-z0-9\-._~%!$&'()*+,;=:@/?[\]]*$/,
    rule: `must be what follows the ? of an address, percent-encoded, with at most ${QUERY_CHARS_MAX} characters`,
    isRequired: true,
    label: 'Query',
    help: 'What follows the `?` of the page’s address: `group_by=model&interval=day`.',
    example: 'range=last_30_days&interval=day&group_by=model',
  },
  shared: {
    kind: 'flag',
    property: 'isShared',
    stored: 'is_shared',
    label: 'Shared',
    help: 'Whether all who may read usage see it.',
    example: true,
  },
} as const satisfies Fields
