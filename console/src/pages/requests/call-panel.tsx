// What a call was: who made it, its ids, and what the policy decided.

import { Group } from '@mantine/core'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../../src/api/contract.ts'
import { toCallFacts } from './call-facts.ts'
import { STATUS_WORDS, toPolicyWords } from './call-words.ts'
import type { Verdict } from './call-words.ts'
import { PauseKeyOf } from '../keys/key-actions.tsx'
import { useCallKeyNames } from './requests.ts'
import { toTeamHref } from '../../data/teams.ts'
import { toHref } from '../../data/search-values.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { StatusTone } from '../../ui/status-badge.tsx'

interface CallProps {
  readonly call: RequestDetail
}

export function CallPanel({ call }: CallProps): ReactElement {
  return (
    <Panel heading="Call" description={STATUS_WORDS[call.status].meaning}>
      <Facts facts={toCallFacts(call)} />
    </Panel>
  )
}

const VERDICTS: Readonly<Record<Verdict, { readonly tone: StatusTone; readonly label: string }>> = {
  allowed: { tone: 'good', label: 'Allowed' },
  denied: { tone: 'bad', label: 'Denied' },
  violated: { tone: 'warning', label: 'Violated' },
}

export function PolicyPanel({ call }: CallProps): ReactElement {
  const { verdict, text } = toPolicyWords(call)
  const { tone, label } = VERDICTS[verdict]
  return (
    <Panel heading="Policy">
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <p className="call-verdict">{text}</p>
      {call.error_code !== null && verdict !== 'denied' && (
        <p className="quiet">
          The caller received the code <span className="mono">{call.error_code}</span>.
        </p>
      )}
      {verdict !== 'allowed' && call.api_key !== null && (
        <TextLink href={`/keys/${encodeURIComponent(call.api_key)}`}>See the key’s policy</TextLink>
      )}
    </Panel>
  )
}

export function DimensionsPanel({ call }: CallProps): ReactElement {
  const dims = Object.entries(call.dims)
  return (
    <Panel heading="Dimensions">
      {dims.length === 0 ? (
        <p className="quiet">The call sent none, and its key adds none.</p>
      ) : (
        <Facts
          facts={dims.map(([name, value]) => ({
            name,
            value: (
              <TextLink
                href={toHref('/requests', { dim_key: name, dim_value: value })}
                label={`Calls with ${name}=${value}`}
              >
                {value}
              </TextLink>
            ),
          }))}
        />
      )}
    </Panel>
  )
}

export function IdsPanel({ call }: CallProps): ReactElement {
  const name = useCallKeyNames([call.api_key]).get(call.api_key ?? '')
  const { generation_id: generation } = call
  const facts: readonly Fact[] = [
    { name: 'Request ID', value: <Id label="the request ID" text={call.id} /> },
    ...(generation === null
      ? []
      : [{ name: 'Generation ID', value: <Id label="the generation ID" text={generation} /> }]),
    { name: 'API key', value: <KeyId id={call.api_key} name={name} /> },
    ...toOwnerFacts(call),
  ]
  return (
    <Panel heading="IDs">
      <Facts facts={facts} />
    </Panel>
  )
}

/** What it was booked to. */
function toOwnerFacts({ team_id: teamId, team, person_id: personId, person }: RequestDetail) {
  const link = teamId !== null && <TextLink href={toTeamHref(teamId)}>{team ?? teamId}</TextLink>
  return [
    ...(link === false ? [] : [{ name: 'Team', value: link }]),
    ...(personId === null ? [] : [{ name: 'Person', value: person ?? personId }]),
  ]
}

interface KeyIdProps {
  readonly id: string | null
  readonly name: string | undefined
}

function KeyId({ id, name }: KeyIdProps) {
  if (id === null) return 'not known'
  return (
    <>
      <TextLink href={`/keys/${encodeURIComponent(id)}`}>{name ?? 'Open the key'}</TextLink>
      <Id label="the key’s ID" text={id} />
      <PauseKeyOf id={id} size="xs" />
    </>
  )
}

function Id({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Group gap="0.25rem 0.5rem">
      <span className="mono">{text}</span>
      <CopyButton label={label} text={text} />
    </Group>
  )
}
