// Which sum of an answer each row of a part belongs to, or none where a filter leaves it out.

import { factNameOf, PERSON_FACT, TEAM_FACT } from '../../core/teams/team.ts'
import type { CallSight } from '../../core/teams/sight.ts'
import type { AnalysisField, AnalysisFilter, AnalysisQuestion, AnalysisValue } from './analysis.ts'
import { OTHER_NAME } from './analysis-rows.ts'
import type { NameColumn, BlockColumns } from './block-table.ts'

/** Names that are stored with ids; 0 is the empty one. */
export interface StoredNames {
  /** Null for a name that no call has had. */
  readonly find: (name: string) => number | null
  readonly nameOf: (id: number) => string
}

export interface AnalysisGroups {
  /** For each row the place of its group, -1 for a row that is not asked for. */
  place(block: BlockColumns): Int32Array
  /** The names that `valuesOf` needs. */
  groupIds(): Iterable<number>
  /** As many as `groupBy` has fields. */
  valuesOf(place: number): readonly AnalysisValue[]
}

const NO_IDS = new Uint8Array(0)
/** Ids are far smaller, so two of them make one exact number. */
const IDS_MAX = 2 ** 26

export function createAnalysisGroups(
  { groupBy, filters, sight }: Pick<AnalysisQuestion, 'groupBy' | 'filters' | 'sight'>,
  names: StoredNames,
): AnalysisGroups {
  const columns = groupBy.map((field) => createReader(field, names))
  const conditions = filters.map((filter) => createCondition(filter, names))
  if (sight !== undefined) conditions.push(createSightCondition(sight, names))
  const places = new Map<number, number>()
  const groups: (readonly number[])[] = []
  const values: (readonly AnalysisValue[])[] = []

  function placeOf(one: number, other: number): number {
    const code = one * IDS_MAX + other
    const known = places.get(code)
    if (known !== undefined) return known
    places.set(code, groups.length)
    return groups.push([one, other].slice(0, columns.length)) - 1
  }

  return {
    place(block) {
      // A million rows go through here: column by column, without a call for each row and field.
      const found = new Int32Array(block.rows)
      for (const condition of conditions) condition(block, found)
      const [one = NO_IDS, other = NO_IDS] = columns.map((column) => column.read(block))
      for (let row = 0; row < block.rows; row += 1) {
        if (found[row] !== -1) found[row] = placeOf(one[row] ?? 0, other[row] ?? 0)
      }
      return found
    },
    groupIds: () => groups.flatMap((ids) => ids.filter((_, index) => groupBy[index] !== 'creator')),
    // The same group is in many buckets.
    valuesOf: (place) =>
      (values[place] ??= (groups[place] as readonly number[]).map((id, index) =>
        toValue(columns[index], id),
      )),
  }
}

interface FieldReader {
  /** By row; shorter where the others have none. */
  read(block: BlockColumns): ArrayLike<number>
  readonly nameOf: (id: number) => string
}

function toValue(column: FieldReader | undefined, id: number): AnalysisValue {
  if (id === 0) return { kind: 'none' }
  const value = column?.nameOf(id) ?? ''
  return value === OTHER_NAME ? { kind: 'other' } : { kind: 'value', value }
}

function createReader(field: AnalysisField, names: StoredNames): FieldReader {
  if (field === 'creator') return createCreators(names)
  const column = toColumn(field, names)
  // A fact is never left out, so a call that lacks one has none.
  const canLack = field.startsWith('dim:') && factNameOf(field.slice('dim:'.length)) === null
  const leftOut = canLack ? toColumn(`dim:${OTHER_NAME}`, names) : null
  return {
    read(block) {
      const ids = (column === null ? undefined : block.names.get(column)) ?? NO_IDS
      const others = leftOut === null ? undefined : block.names.get(leftOut)
      return others === undefined ? ids : Array.from(others, (other, row) => ids[row] || other)
    },
    nameOf: names.nameOf,
  }
}

/** Null for a dimension that no call has had. */
function toColumn(field: Exclude<AnalysisField, 'creator'>, names: StoredNames): NameColumn | null {
  if (field === 'api_key') return 'key'
  if (!field.startsWith('dim:')) return field as NameColumn
  const dim = names.find(field.slice('dim:'.length))
  return dim === null ? null : `dim:${dim}`
}

/** Creators are no stored names: each gets a number of this question's own. */
function createCreators({ nameOf }: StoredNames): FieldReader {
  const creators = ['']
  const ofModels = new Map<number, number>()

  function creatorOf(model: number): number {
    const known = ofModels.get(model)
    if (known !== undefined) return known
    const creator = toCreator(nameOf(model))
    const place = creators.indexOf(creator)
    const found = place === -1 ? creators.push(creator) - 1 : place
    ofModels.set(model, found)
    return found
  }

  return {
    read(block) {
      return Array.from(block.names.get('model') ?? NO_IDS, creatorOf)
    },
    nameOf: (id) => creators[id] as string,
  }
}

/** `anthropic` of `anthropic/claude`; empty for a name without segments. */
export function toCreator(model: string): string {
  const end = model.indexOf('/')
  return end > 0 ? model.slice(0, end) : ''
}

/** Marks rows that do not pass with -1. */
type Condition = (block: BlockColumns, found: Int32Array) => void

/** A value that was not kept apart is none of the values that are named. */
function createCondition(filter: AnalysisFilter, names: StoredNames): Condition {
  const { field, isExcluding, values } = filter
  const reader = createReader(field, names)
  const isNamed = field === 'creator' ? namedCreator(values, reader) : namedId(values, names)
  const known = new Map<number, boolean>()
  const judge = (id: number): boolean => {
    const isWanted = isNamed(id) !== isExcluding
    known.set(id, isWanted)
    return isWanted
  }
  return (block, found) => {
    const ids = reader.read(block)
    for (let row = 0; row < found.length; row += 1) {
      const id = ids[row] ?? 0
      if (!(known.get(id) ?? judge(id))) found[row] = -1
    }
  }
}

/** Of either fact: both always have a place, so that none of them is among the others. */
function createSightCondition({ teams, personId }: CallSight, names: StoredNames): Condition {
  const [ofTeam, ofPerson] = [TEAM_FACT, PERSON_FACT].map((fact) =>
    createReader(`dim:${fact}`, names),
  ) as [FieldReader, FieldReader]
  const isTeam = namedId(teams, names)
  const isPerson = namedId(personId === null ? [] : [personId], names)
  return (block, found) => {
    const [team, person] = [ofTeam.read(block), ofPerson.read(block)]
    for (let row = 0; row < found.length; row += 1) {
      if (!isTeam(team[row] ?? 0) && !isPerson(person[row] ?? 0)) found[row] = -1
    }
  }
}

type IsNamed = (id: number) => boolean

function namedCreator(values: AnalysisFilter['values'], { nameOf }: FieldReader): IsNamed {
  const named = new Set(values.map((value) => value ?? ''))
  return (id) => named.has(id === 0 ? '' : nameOf(id))
}

/** Nothing is looked up for the ids of the rows, of which there may be many. */
function namedId(values: AnalysisFilter['values'], { find }: StoredNames): IsNamed {
  const ids = new Set(values.map((value) => (value === null ? 0 : find(value))))
  return (id) => ids.has(id)
}
