// Whose a key is: its team, and the person of a personal key, who is one of the team. Says what the
// team lets its keys be.

import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { KEY_FIELDS } from '../../../../src/resources/key.ts'
import { useUserNames } from '../../data/known-names.ts'
import { membersQuery, teamQuery } from '../../data/teams.ts'
import type { FormProps } from '../../ui/forms/field-inputs.tsx'
import type { KeyDraft } from './key-draft.ts'
import { toTeamLimitWords } from './key-words.ts'
import { TeamSelect } from './team-select.tsx'

const { team_id: team, person_id: person } = KEY_FIELDS

type KeyFieldsProps = FormProps<typeof KEY_FIELDS>

export function OwnerFields(form: KeyFieldsProps) {
  const { draft, onChange, faults, isReadOnly = false } = form
  const { team_id: teamId } = draft
  const { data: chosen } = useQuery({ ...teamQuery(teamId), enabled: teamId !== '' })
  const limits = chosen === undefined ? null : toTeamLimitWords(chosen)
  return (
    <>
      <div>
        <TeamSelect
          label={team.label}
          description={team.form.help}
          none="No team"
          value={teamId === '' ? undefined : teamId}
          onChange={(id) => onChange({ team_id: id ?? '' })}
          error={faults.team_id}
          isReadOnly={isReadOnly}
        />
        {/* The element exists before its words do, so that a screen reader announces them. */}
        <Text size="sm" c="dimmed" mt={4} role="status">
          {limits}
        </Text>
      </div>
      <PersonSelect {...form} />
    </>
  )
}

/** Their addresses by id: of the team, where there is one; of everybody, for those who see them. */
function usePeople(teamId: string): ReadonlyMap<string, string> {
  const { data: members } = useQuery({ ...membersQuery(teamId), enabled: teamId !== '' })
  const users = useUserNames(teamId === '')
  if (teamId === '') return users
  return new Map(members?.rows.map(({ user_id: id, email }) => [id, email]))
}

/** Of those that a key has, and those that are chosen for it. */
export function useOwnerNames(row: KeyRow, draft: KeyDraft): ReadonlyMap<string, string> {
  const { team_id: teamId } = draft
  const { data: chosen } = useQuery({ ...teamQuery(teamId), enabled: teamId !== '' })
  const people = usePeople(teamId)
  return new Map([
    [row.team_id ?? '', row.team ?? ''],
    [row.person_id ?? '', row.person ?? ''],
    [teamId, chosen?.name ?? teamId],
    ...people,
  ])
}

function PersonSelect({ draft, onChange, faults, isReadOnly = false }: KeyFieldsProps) {
  const { team_id: teamId, person_id: personId } = draft
  const people = new Map(usePeople(teamId))
  // One who has left the team stays visible, so that they can be removed.
  if (personId !== '') people.set(personId, people.get(personId) ?? personId)
  return (
    <Select
      label={person.label}
      description={person.form.help}
      placeholder="A service’s"
      data={Array.from(people, ([value, label]) => ({ value, label }))}
      value={personId === '' ? null : personId}
      onChange={(id) => onChange({ person_id: id ?? '' })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'A service’s' }}
      nothingFoundMessage={teamId === '' ? 'No matching user' : 'No matching member of the team'}
      disabled={isReadOnly}
      error={faults.person_id}
    />
  )
}
