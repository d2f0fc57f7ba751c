// A team that is being made or edited, and the short name that its name suggests.

import { TEAM_FIELDS } from '../../../../src/resources/team.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import { createFieldForm } from '../../data/forms/field-form.ts'

export type TeamDraft = DraftOf<typeof TEAM_FIELDS>

const form = createFieldForm(TEAM_FIELDS)

export const TEAM_FORM: typeof form = {
  ...form,
  wordsOf(draft) {
    const words = form.wordsOf(draft)
    return {
      ...words,
      // What the API says of a department is in words for people.
      parent_id: { match: /^(?:parent_id|A department) / },
      use_credentials: { ...words.use_credentials, match: /^There is no provider / },
    }
  },
}

const SLUG_CHARS_MAX = 63

/** `Search & Ranking (EU)` suggests `search-ranking-eu`. */
export function toSlug(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{Mark}/gu, '')
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, SLUG_CHARS_MAX).replace(/-$/, '')
}

/** The short name follows the name until it is typed. */
export function withName(draft: TeamDraft, name: string): Pick<TeamDraft, 'name' | 'slug'> {
  const { slug } = draft
  return { name, slug: slug === toSlug(draft.name) ? toSlug(name) : slug }
}
