// The saved views of a page in a menu: open one, save what is shown, and change those that are
// one's own. A view keeps what the address says, so that a preset moves on with time.

import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ViewRow } from '../../../../src/api/contract.ts'
import { toFormRefusal } from '../../data/form-refusal.ts'
import { toSearchText } from '../../data/search-values.ts'
import { toViewHref, useSaveView, viewsQuery } from './views.ts'
import { Dropdown, DropdownItem } from '../../ui/dropdown.tsx'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { DownIcon, PlusIcon, SettingsIcon } from '../../ui/icons.tsx'
import { ManageViews } from './manage-views.tsx'

export interface SavedViewsProps {
  readonly page: ViewRow['page']
  /** What the address says. */
  readonly search: object
}

export function SavedViews({ page, search }: SavedViewsProps) {
  const { data } = useQuery(viewsQuery)
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const query = toSearchText({ ...search }).slice(1)
  const views = (data?.rows ?? []).filter((view) => view.page === page)
  const close = (): void => setOpen(null)
  return (
    <>
      <Dropdown
        button={(opens) => (
          <Button variant="default" rightSection={<DownIcon size={14} />} {...opens}>
            Views
          </Button>
        )}
      >
        <ViewLinks views={views} query={query} />
        <DropdownItem icon={PlusIcon} onClick={() => setOpen('save')}>
          Save this view
        </DropdownItem>
        {views.some((view) => view.can_change) && (
          <DropdownItem icon={SettingsIcon} onClick={() => setOpen('manage')}>
            Manage views
          </DropdownItem>
        )}
      </Dropdown>
      <Modal opened={open === 'save'} onClose={close} title="Save this view">
        <SaveForm page={page} query={query} onClose={close} />
      </Modal>
      <Modal opened={open === 'manage'} onClose={close} title="Manage views" size="lg">
        <ManageViews views={views} query={query} />
      </Modal>
    </>
  )
}

interface ViewLinksProps {
  readonly views: readonly ViewRow[]
  readonly query: string
}

function ViewLinks({ views, query }: ViewLinksProps) {
  if (views.length === 0) return <p className="views-none">No views are saved yet.</p>
  return (
    <>
      {views.map((view) => (
        <DropdownItem key={view.id} href={toViewHref(view)} isChosen={view.query === query}>
          {view.name}
          {!view.is_own && <span className="cell-under">shared by {view.owner}</span>}
          {view.is_own && view.shared && <span className="cell-under">shared</span>}
        </DropdownItem>
      ))}
      <hr className="dropdown-line" />
    </>
  )
}

interface SaveFormProps {
  readonly page: ViewRow['page']
  readonly query: string
  readonly onClose: () => void
}

function SaveForm({ page, query, onClose }: SaveFormProps) {
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const { mutate, error, isPending } = useSaveView()
  const refusal = toFormRefusal(error, ['name'])
  const save = (event: FormEvent): void => {
    event.preventDefault()
    mutate({ name, page, query, shared: isShared }, { onSuccess: onClose })
  }
  return (
    <form onSubmit={save}>
      <Stack>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          value={name}
          error={refusal.fields.name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Checkbox
          label="Share it"
          description="Everyone who can see figures can open it. Only you and administrators can change it."
          checked={isShared}
          onChange={({ currentTarget: { checked } }) => setShared(checked)}
        />
      </Stack>
      <FormEnd error={refusal.rest} action="Save" isPending={isPending} onCancel={onClose} />
    </form>
  )
}
