// The contract for saved views, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { VIEW_FIELDS } from '../../resources/view.ts'
import { boolean, string, time } from '../answer-members.ts'
import { toAnswerMembers, toChangeMembers, toNewMembers } from '../field-schemas.ts'
import { named, namedBody } from '../parameter-schemas.ts'

export const VIEW_ID_EXAMPLE = 'view_0123456789abcdef'

export const newViewSchema = namedBody('NewView', toNewMembers(VIEW_FIELDS))

const { page: _, ...changeable } = toChangeMembers(VIEW_FIELDS)

/** A view stays on its page. */
export const viewChangeSchema = namedBody('ViewChange', changeable)

export const viewSchema = named('View', {
  id: string('`view_…`', VIEW_ID_EXAMPLE),
  ...toAnswerMembers(VIEW_FIELDS),
  owner: string('The name of the user whose it is.', 'Ada'),
  is_own: boolean('Whether it is yours.'),
  can_change: boolean('Whether you may change and delete it.'),
  created_at: time(),
  updated_at: time(),
})

export const viewListSchema = named('ViewList', {
  rows: z.array(viewSchema).describe('By name.'),
})

export type NewViewBody = z.input<typeof newViewSchema>
export type ViewChangeBody = z.input<typeof viewChangeSchema>
export type ViewRow = z.infer<typeof viewSchema>
export type ViewList = z.infer<typeof viewListSchema>
