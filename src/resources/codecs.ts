// Each noun's settings in memory, with the codec for the other forms that they have.

import { BUDGET_FIELDS } from './budget.ts'
import { createCodec } from './codec.ts'
import { namesOf } from './field.ts'
import type { SettingsOf } from './field.ts'
import { KEY_FIELDS } from './key.ts'
import { TEAM_FIELDS } from './team.ts'
import { TOKEN_FIELDS } from './token.ts'
import { USER_FIELDS } from './user.ts'
import { VIEW_FIELDS } from './view.ts'

export type KeySettings = SettingsOf<typeof KEY_FIELDS>
export type ViewSettings = SettingsOf<typeof VIEW_FIELDS>
export type TokenSettings = SettingsOf<typeof TOKEN_FIELDS>

export const KEY_CODEC = createCodec(KEY_FIELDS)
export const TEAM_CODEC = createCodec(TEAM_FIELDS)
export const TOKEN_CODEC = createCodec(TOKEN_FIELDS)
export const BUDGET_CODEC = createCodec(BUDGET_FIELDS)
export const USER_CODEC = createCodec(USER_FIELDS)
export const VIEW_CODEC = createCodec(VIEW_FIELDS)

/** The defaults of a new key: everything is allowed, but no stored credential. */
export const OPEN_KEY = KEY_CODEC.defaults

const forPeople = namesOf(KEY_FIELDS).filter((name) => 'isForPeople' in KEY_FIELDS[name])

/** Nothing of what no call depends on. */
export const NO_WORDS_FOR_PEOPLE: Partial<KeySettings> = Object.freeze(
  KEY_CODEC.fromWire(Object.fromEntries(forPeople.map((name) => [name, null]))),
)
