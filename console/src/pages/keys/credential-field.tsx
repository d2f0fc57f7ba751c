// Of which providers a key may use the stored credential: then its calls need no key of their own
// there. Warns of providers for which none is stored.

import { Alert, MultiSelect, Space } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KEY_FIELDS } from '../../../../src/resources/key.ts'
import { infoQuery, serviceQuery } from '../../data/service.ts'
import { useSeesCompany } from '../../data/session.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
import type { KeyDraft } from './key-draft.ts'
import type { KeyFieldsProps } from './key-fields.tsx'
import { toMissingCredentials } from './key-words.ts'

const { label, form: words } = KEY_FIELDS.use_credentials

export function CredentialField(form: KeyFieldsProps) {
  return (
    <div>
      <CredentialSelect {...form} />
      <Space h="md" />
      <FieldInputs fields={KEY_FIELDS} names={['allow_derived_tokens']} {...form} />
    </div>
  )
}

type Chosen = Pick<KeyDraft, 'use_credentials' | 'allowed_providers'>

export interface CredentialSelectProps {
  readonly draft: Chosen
  readonly onChange: (change: Partial<Chosen>) => void
  readonly faults: Partial<Readonly<Record<'use_credentials', string>>>
  readonly isReadOnly?: boolean
  /** Left out: what it means for a key. */
  readonly help?: string
}

export function CredentialSelect(props: CredentialSelectProps) {
  const { draft, onChange, faults, isReadOnly = false, help = words.help } = props
  const { use_credentials: chosen, allowed_providers: allowed } = draft
  const isShown = useSeesCompany()
  const { data: info } = useQuery(infoQuery)
  const { data: service } = useQuery({ ...serviceQuery, refetchInterval: false, enabled: isShown })
  const known = service?.providers.map(({ id }) => id) ?? info?.providers ?? []
  const usable = allowed.length === 0 ? known : known.filter((id) => allowed.includes(id))
  const missing = toMissingCredentials(chosen, service?.providers ?? null)
  return (
    <div>
      <MultiSelect
        label={label}
        description={help}
        placeholder={chosen.length === 0 ? words.placeholder : ''}
        // One that may not be used stays visible, so that it can be removed.
        data={[...new Set([...usable, ...chosen])]}
        value={[...chosen]}
        onChange={(value) => onChange({ use_credentials: value })}
        searchable
        hidePickedOptions
        disabled={isReadOnly}
        error={faults.use_credentials}
      />
      {/* The element exists before the warning does, so that a screen reader announces it. */}
      <div role="status">
        {missing !== null && (
          <Alert color="yellow" icon={<WarningIcon />} py="xs" mt="xs">
            {missing}
          </Alert>
        )}
      </div>
    </div>
  )
}
