// Changes saved views: rename, share, replace by what is shown, delete.

import { Button, Group, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ViewRow } from '../../../../src/api/contract.ts'
import { useChangeView, useDeleteView } from './views.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { FormFault } from '../../ui/forms/form-end.tsx'

export interface ManageViewsProps {
  readonly views: readonly ViewRow[]
  /** What the page shows now. */
  readonly query: string
}

export function ManageViews({ views, query }: ManageViewsProps) {
  const changeable = views.filter((view) => view.can_change)
  if (changeable.length === 0) return <p className="quiet">There is no view left to manage.</p>
  return (
    <ul className="views">
      {changeable.map((view) => (
        <li key={view.id}>
          <ViewForm view={view} query={query} />
        </li>
      ))}
    </ul>
  )
}

interface ViewFormProps {
  readonly view: ViewRow
  readonly query: string
}

function ViewForm({ view, query }: ViewFormProps) {
  const [name, setName] = useState(view.name)
  const { mutate, error, isPending } = useChangeView()
  const { mutateAsync: remove } = useDeleteView()
  const { id } = view
  const rename = (event: FormEvent): void => {
    event.preventDefault()
    mutate({ id, name })
  }
  return (
    <form onSubmit={rename}>
      <Group gap="sm" align="flex-end">
        <TextInput
          className="views-name"
          label={view.is_own ? 'Name' : `Name (by ${view.owner})`}
          maxLength={100}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={isPending}
          disabled={name.trim() === '' || name.trim() === view.name}
        >
          Rename
        </Button>
      </Group>
      <Group gap="sm" mt="xs">
        <Switch
          label="Shared"
          aria-label={`Shared: ${view.name}`}
          checked={view.shared}
          onChange={({ currentTarget: { checked } }) => mutate({ id, shared: checked })}
        />
        <Button
          size="xs"
          variant="subtle"
          disabled={view.query === query}
          aria-label={`Replace by what is shown: ${view.name}`}
          onClick={() => mutate({ id, query })}
        >
          Replace by what is shown
        </Button>
        <ConfirmButton
          size="xs"
          label={`Delete ${view.name}`}
          title={`Delete the view ${view.name}?`}
          consequence={view.shared ? 'No one can open it any more.' : 'It cannot be brought back.'}
          action="Delete view"
          onConfirm={() => remove(id)}
        >
          Delete
        </ConfirmButton>
      </Group>
      <FormFault error={error} />
    </form>
  )
}
