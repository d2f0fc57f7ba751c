// The contract for saved views, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { VIEW_PAGES } from '../../store/settings/view-store.ts'
import { named, namedBody, oneOf } from '../parameter-schemas.ts'

export const VIEW_NAME_CHARS_MAX = 100
export const VIEW_QUERY_CHARS_MAX = 4000

const NAME_FAULT = `name must have 1 to ${VIEW_NAME_CHARS_MAX} characters and no control characters`
const QUERY_FAULT =
  `query must be what follows the ? of an address, percent-encoded, ` +
  `with at most ${VIEW_QUERY_CHARS_MAX} characters`

/** The characters that a query is written with (RFC 3986, section 3.4), and brackets. */
const QUERY = /^[A-Za-z0-9\-._~%!$&'()*+,;=:@/?[\]]*$/

function isName(text: string): boolean {
  const { length } = Array.from(text)
  const isPlain = !/\p{Cc}/u.test(text) && text.isWellFormed()
  return isPlain && length >= 1 && length <= VIEW_NAME_CHARS_MAX
}

export const VIEW_ID_EXAMPLE = 'view_0123456789abcdef'
const NAME = { example: 'Search, by model' }
const QUERY_EXAMPLE = { example: 'range=last_30_days&interval=day&group_by=model' }

const name = z.string(NAME_FAULT).trim().refine(isName, NAME_FAULT).meta(NAME)
const query = z
  .string(QUERY_FAULT)
  .max(VIEW_QUERY_CHARS_MAX, QUERY_FAULT)
  .regex(QUERY, QUERY_FAULT)
  .describe('What follows the `?` of the page’s address: `group_by=model&interval=day`.')
  .meta(QUERY_EXAMPLE)
const shared = z
  .boolean('shared must be true or false')
  .describe('Whether all who may read usage see it.')

export const newViewSchema = namedBody('NewView', {
  name,
  page: z.enum(VIEW_PAGES, oneOf('page', VIEW_PAGES)),
  query,
  shared: shared.optional(),
})

export const viewChangeSchema = namedBody('ViewChange', {
  name: name.optional(),
  query: query.optional(),
  shared: shared.optional(),
})

export const viewSchema = named('View', {
  id: z.string().describe('`view_…`').meta({ example: VIEW_ID_EXAMPLE }),
  name: z.string().meta(NAME),
  page: z.enum(VIEW_PAGES),
  query: z.string().meta(QUERY_EXAMPLE),
  shared: z.boolean(),
  owner: z.string().describe('The name of the user whose it is.').meta({ example: 'Ada' }),
  is_own: z.boolean().describe('Whether it is yours.'),
  can_change: z.boolean().describe('Whether you may change and delete it.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const viewListSchema = named('ViewList', {
  rows: z.array(viewSchema).describe('By name.'),
})

export type NewViewBody = z.input<typeof newViewSchema>
export type ViewChangeBody = z.input<typeof viewChangeSchema>
export type ViewRow = z.infer<typeof viewSchema>
export type ViewList = z.infer<typeof viewListSchema>
