// One team in tabs: what it spent, its keys, its people, its budgets and its settings.

import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { TeamAnswer } from '../../../../src/api/contract.ts'
import { formatTime } from '../../data/format-time.ts'
import { useAnyway } from '../../data/meanwhile.ts'
import { toHref } from '../../data/search-values.ts'
import { useCan } from '../../data/session.ts'
import { teamQuery, toTeamHref, useActOnTeam } from '../../data/teams.ts'
import { Fault } from '../../ui/fault.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { InfoIcon } from '../../ui/icons.tsx'
import { TextLink, useLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { asksQuery } from '../asks/asks.ts'
import { TeamAsks } from '../asks/team-asks.tsx'
import { TeamBudgets } from './team-budgets.tsx'
import { TeamKeys } from './team-keys.tsx'
import { TeamPeople } from './team-people.tsx'
import { TeamReport } from './team-report.tsx'
import { TeamSettings } from './team-settings.tsx'
import { TeamStatus } from './team-status.tsx'

const route = getRouteApi('/shell/teams/$id')

export function TeamPage(): ReactElement {
  const { id } = route.useParams()
  const { tab = 'report' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: team, error, refetch } = useQuery(teamQuery(id))
  const canAnswer = useCan('write:budgets')
  const { data: asks } = useQuery({ ...asksQuery(id), enabled: canAnswer })
  const open = asks?.rows.filter(({ status }) => status === 'open').length ?? 0
  if (team === undefined) {
    return (
      <Page title="Team" description={<span className="mono">{id}</span>}>
        {error !== null && (
          <Fault title="The team could not be read" error={error} onRetry={() => void refetch()} />
        )}
        <TextLink href="/teams">All teams</TextLink>
      </Page>
    )
  }
  return (
    <Page
      docs="teams"
      title={team.name}
      description={<About team={team} />}
      actions={<TeamLinks team={team} />}
    >
      {team.archived_at !== null && (
        <Alert color="gray" icon={<InfoIcon />} title="Archived">
          Since {formatTime(team.archived_at)} no key is made or moved here. Its keys go on, and
          what it spent stays in every figure.
        </Alert>
      )}
      <PageTabs
        label="This team"
        chosen={tab}
        onChoose={(search) => void navigate({ search, replace: true })}
        tabs={[
          { name: 'report', label: 'Report', content: <TeamReport team={team} /> },
          { name: 'keys', label: 'Keys', content: <TeamKeys team={team} /> },
          { name: 'people', label: 'People', content: <TeamPeople team={team} /> },
          ...(canAnswer
            ? [
                {
                  name: 'asks',
                  label: toAskLabel(open),
                  content: <TeamAsks team={team} />,
                } as const,
              ]
            : []),
          { name: 'budgets', label: 'Budgets', content: <TeamBudgets team={team} /> },
          {
            name: 'settings',
            label: 'Settings',
            content: <TeamSettings key={team.id} team={team} />,
          },
        ]}
      />
    </Page>
  )
}

function toAskLabel(open: number): string {
  return open === 0 ? 'Asks' : `Asks (${open})`
}

interface TeamProps {
  readonly team: TeamAnswer
}

function About({ team }: TeamProps) {
  const { parent, parent_id: parentId } = team
  return (
    <Group component="span" gap="0.1rem 0.9rem">
      <TeamStatus status={team.status} />
      <span className="mono">{team.slug}</span>
      {parent !== null && parentId !== null && (
        <span>
          Department <TextLink href={toTeamHref(parentId)}>{parent}</TextLink>
        </span>
      )}
      {team.cost_center !== null && <span>Cost center {team.cost_center}</span>}
      {team.note !== null && <span className="key-note">{team.note}</span>}
    </Group>
  )
}

function TeamLinks({ team }: TeamProps) {
  const Link = useLink()
  const isAdmin = useCan('admin')
  const search = { range: 'this_month', group_by: 'model', filter: `team=${team.id}` }
  return (
    <>
      <Button component={Link} variant="subtle" href={toHref('/explore', search)}>
        Explore its calls
      </Button>
      {isAdmin && (
        <Button component={Link} variant="subtle" href={toHref('/audit', { subject: team.id })}>
          Its audit log
        </Button>
      )}
      {isAdmin && <ArchiveTeam team={team} />}
    </>
  )
}

function ArchiveTeam({ team: { id, name, version, status } }: TeamProps) {
  const act = status === 'active' ? 'archive' : 'restore'
  const { mutateAsync } = useActOnTeam(id, act)
  const onConfirm = useAnyway(version, mutateAsync)
  if (act === 'restore') {
    return (
      <ConfirmButton
        title={`Restore team ${name}?`}
        consequence="Keys can be made in it again. Those who were in it are not: put them back in."
        action="Restore team"
        color="river"
        done={`${name} is restored.`}
        onConfirm={onConfirm}
      >
        Restore
      </ConfirmButton>
    )
  }
  return (
    <ConfirmButton
      title={`Archive team ${name}?`}
      consequence="Its people leave it, and no key is made or moved there. Its keys go on until they are revoked, and what it spent keeps its name. It can be restored, without its people."
      action="Archive team"
      done={`${name} is archived.`}
      onConfirm={onConfirm}
    >
      Archive
    </ConfirmButton>
  )
}
