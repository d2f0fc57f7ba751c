// A personal key for who has signed in: a name and a team, whose limits it gets. Then shows its
// secret, once, and the call to paste.

import { Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { KEY_FIELDS } from '../../../../src/resources/key.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { useCreateKey } from '../../data/keys.ts'
import { useSession } from '../../data/session.ts'
import { teamQuery, teamSearchQuery } from '../../data/teams.ts'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import { OnceDialog } from '../../ui/forms/form-dialog.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { KEY_FORM } from '../keys/key-draft.ts'
import { KeySecret } from '../keys/key-secret.tsx'
import { toTeamLimitWords } from '../keys/key-words.ts'

export interface TakePersonalKeyProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function TakePersonalKey(dialog: TakePersonalKeyProps) {
  const create = useCreateKey()
  return (
    <OnceDialog
      {...dialog}
      making={create}
      title={(made) => (made === undefined ? 'Take a key' : `Key ${made.name}`)}
      form={(close) => <TakeForm create={create} onCancel={close} />}
      secret={(made, close) => <KeySecret made={made} title="Your key is ready" onKept={close} />}
    />
  )
}

interface TakeFormProps {
  readonly create: ReturnType<typeof useCreateKey>
  readonly onCancel: () => void
}

function TakeForm({ create, onCancel }: TakeFormProps) {
  const { user } = useSession() ?? {}
  const [draft, setDraft] = useState({ ...KEY_FORM.empty, name: `${user?.name ?? 'My'} laptop` })
  const { data: teams } = useQuery(teamSearchQuery(''))
  const [first] = teams?.rows ?? []
  const teamId = draft.team_id === '' ? (first?.id ?? '') : draft.team_id
  const { data: team } = useQuery({ ...teamQuery(teamId), enabled: teamId !== '' })
  const refusal = toFormRefusal(create.error, ['name', 'team_id'], KEY_FORM.wordsOf(draft))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const { id: personId = null } = user ?? {}
    create.mutate({ name: draft.name.trim(), team_id: teamId, person_id: personId })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FieldInputs
          fields={KEY_FIELDS}
          names={['name']}
          draft={draft}
          onChange={(part) => setDraft({ ...draft, ...part })}
          faults={refusal.fields}
        />
        <div>
          <Select
            label={KEY_FIELDS.team_id.label}
            description="Its calls are booked to this team, within the limits of the team."
            data={teams?.rows.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            value={teamId}
            onChange={(id) => setDraft({ ...draft, team_id: id ?? '' })}
            allowDeselect={false}
            error={refusal.fields.team_id}
          />
          <Text size="sm" c="dimmed" mt={4} role="status">
            {team !== undefined && toTeamLimitWords(team)}
          </Text>
        </div>
      </Stack>
      <FormEnd
        error={refusal.rest}
        action="Create key"
        isPending={create.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
