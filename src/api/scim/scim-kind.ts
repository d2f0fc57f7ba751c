// What a kind of resource does for the routes of SCIM.

import type { Expected } from '../../store/settings/changed-meanwhile.ts'
import type { Filter } from './scim-filter.ts'
import type { Json } from './scim-attributes.ts'

/** `id` and `version` of what it stands for, and all of it as SCIM has it, but `meta`. */
export interface ScimResource {
  readonly id: string
  readonly version: number
  readonly createdAt: number
  readonly body: Json
}

export interface ScimKind {
  readonly name: 'User' | 'Group'
  /** `/Users` */
  readonly path: string
  readonly schema: string
  create(given: Json): Promise<ScimResource>
  find(id: string): Promise<ScimResource | null>
  /** Those that may match, oldest first: what a filter can look up, else all. */
  list(lookup: Filter['lookup']): Promise<readonly ScimResource[]>
  /** What a PATCH starts from: the attributes that are not derived from others. */
  toBase(resource: ScimResource): Json
  /** Null where there is none; the same below. */
  replace(id: string, given: Json, expected: Expected): Promise<ScimResource | null>
  remove(id: string, expected: Expected): Promise<object | null>
}
