// What a team is called, and what its keys may be. Unsaved changes are marked and can be undone.

import { Alert } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TeamAnswer } from '../../../../src/api/contract.ts'
import { READ_ONLY_REASON, useCan } from '../../data/session.ts'
import { teamQuery, useChangeTeam } from '../../data/teams.ts'
import { SaveBar, useSettings } from '../../ui/forms/save-bar.tsx'
import { InfoIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panel.tsx'
import { warningsQuery } from '../keys/models-field.tsx'
import { TEAM_FORM } from './team-draft.ts'
import { TeamKeyBudget } from './team-key-budget.tsx'
import { AboutTeamFields, TeamLimitFields } from './team-fields.tsx'

interface TeamProps {
  readonly team: TeamAnswer
}

/** Waits for what is said of its patterns, which would move the fields below them. */
export function TeamSettings({ team }: TeamProps) {
  const { isLoading } = useQuery(warningsQuery(team))
  return isLoading ? null : <SettingsForm team={team} />
}

function SettingsForm({ team }: TeamProps) {
  const client = useQueryClient()
  const canChange = useCan('admin')
  const settings = useSettings(TEAM_FORM, {
    row: team,
    readAgain: () => client.fetchQuery({ ...teamQuery(team.id), staleTime: 0 }),
    saving: useChangeTeam(team.id),
    onSaved: ({ name }) => notifications.show({ message: `${name} is saved.` }),
  })
  const { draft, write, faults, submit } = settings
  const { data: parent } = useQuery({
    ...teamQuery(draft.parent_id),
    enabled: draft.parent_id !== '',
  })
  const fields = { draft, onChange: write, faults, isReadOnly: !canChange }
  const names = new Map([
    [team.parent_id ?? '', team.parent ?? ''],
    [draft.parent_id, parent?.name ?? draft.parent_id],
  ])
  return (
    <form onSubmit={submit} noValidate className="page-body">
      {!canChange && (
        <Alert color="gray" icon={<InfoIcon />}>
          {READ_ONLY_REASON}
        </Alert>
      )}
      <div className="panels">
        <Panel
          heading="What its keys may be"
          description="For keys that are made or changed from now on. A new key begins with these limits."
        >
          <TeamLimitFields {...fields} />
        </Panel>
        <TeamKeyBudget team={team} />
        <Panel heading="Name and department">
          <AboutTeamFields {...fields} />
        </Panel>
      </div>
      <SaveBar settings={settings} names={names} />
    </form>
  )
}
