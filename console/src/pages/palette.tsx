// Ctrl-K: a field that goes to a page, a team, a key, a budget, a model or a call, by keyboard.

import { Loader, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { Analysis, BudgetList, KeyPage, TeamPage } from '../../../src/api/contract.ts'
import { ask, toPath } from '../data/api-client.ts'
import { toHref } from '../data/search-values.ts'
import { useCan } from '../data/session.ts'
import { toTeamHref } from '../data/teams.ts'
import { DAY_MS } from '../data/analysis/time-range.ts'
import type { NavigationGroup } from '../ui/shell.tsx'
import '../ui/later-styles.ts'
import './palette.css'

export interface PaletteProps {
  readonly pages: readonly NavigationGroup[]
  readonly onClose: () => void
}

interface Place {
  readonly kind: string
  readonly name: string
  readonly href: string
}

const FOUND_MAX = 5
const TYPING_PAUSE_MS = 150
const REQUEST_ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

export function Palette({ pages, onClose }: PaletteProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const listId = useId()
  const typed = text.trim()
  const { found, isFetching } = useFound(typed)
  const places = [...listKnown(pages, typed), ...found]
  const chosen = Math.min(at, places.length - 1)
  const go = (place: Place | undefined): void => {
    if (place === undefined) return
    onClose()
    void navigate({ href: place.href })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((chosen + step + places.length) % Math.max(places.length, 1))
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) go(places[chosen])
  }
  return (
    <Modal opened onClose={onClose} title="Go to" size="lg" yOffset="12vh">
      <TextInput
        data-autofocus
        aria-label="Go to a page, team, key, budget, model or request id"
        placeholder="Page, team, key, budget, model or request id"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={places.length === 0 ? undefined : `${listId}-${chosen}`}
        autoComplete="off"
        value={text}
        rightSection={isFetching && <Loader size="xs" />}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label="Places" className="palette">
        {places.map((place, index) => (
          <li
            key={`${place.kind} ${place.href}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseMove={() => setAt(index)}
            onClick={() => go(place)}
          >
            <span className="palette-name">{place.name}</span>
            <span className="quiet">{place.kind}</span>
          </li>
        ))}
      </ul>
      <p className="quiet" role="status">
        {places.length === 0 && !isFetching && 'Nothing is called so.'}
      </p>
    </Modal>
  )
}

/** What needs no question. */
function listKnown(pages: PaletteProps['pages'], typed: string): readonly Place[] {
  const call = { kind: 'Request', name: typed, href: `/requests/${typed.toLowerCase()}` }
  const named = pages.flatMap(({ items }) => items).filter(({ label }) => has(label, typed))
  return [
    ...(REQUEST_ID.test(typed) ? [call] : []),
    ...named.map(({ label, href }) => ({ kind: 'Page', name: label, href })),
  ]
}

const has = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase())

/** What the API finds, a few of each. */
function useFound(typed: string) {
  const [sought] = useDebouncedValue(typed, TYPING_PAUSE_MS)
  const canReadKeys = useCan('read:keys')
  const { data = [], isFetching } = useQuery({
    queryKey: ['palette', sought],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10)
      const models = { group_by: 'model', search: sought, limit: FOUND_MAX, from }
      const named = { search: sought, limit: FOUND_MAX }
      const [teams, keys, budgets, used] = await Promise.all([
        canReadKeys ? ask<TeamPage>(toPath('/v1/teams', named), { signal }) : { rows: [] },
        canReadKeys ? ask<KeyPage>(toPath('/v1/keys', named), { signal }) : { rows: [] },
        ask<BudgetList>('/v1/budgets', { signal }),
        ask<Analysis>(toPath('/v1/analysis', models), { signal }),
      ])
      return [
        ...teams.rows.map(({ id, name }) => ({ kind: 'Team', name, href: toTeamHref(id) })),
        ...keys.rows.map(({ id, name }) => ({ kind: 'API key', name, href: `/keys/${id}` })),
        ...budgets.rows
          .filter(({ name }) => has(name, sought))
          .slice(0, FOUND_MAX)
          .map(({ id, name }) => ({ kind: 'Budget', name, href: `/budgets#${id}` })),
        ...used.rows.flatMap(({ group: [member] }) =>
          member?.kind === 'value' && member.value !== null ? [toModelPlace(member.value)] : [],
        ),
      ]
    },
    enabled: sought !== '',
    placeholderData: keepPreviousData,
  })
  return { found: typed === '' ? [] : data, isFetching }
}

function toModelPlace(model: string): Place {
  const search = { range: 'last_30_days', group_by: 'api_key', filter: `model=${model}` }
  return { kind: 'Model', name: model, href: toHref('/explore', search) }
}
