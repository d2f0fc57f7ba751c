// Of which providers a key may use the stored credential: then its calls need no key of their own
// there. Warns of providers for which none is stored.

import { Alert, MultiSelect, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { serviceQuery } from '../../data/service.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { KEY_FIELD_NAMES } from './key-draft.ts'
import type { KeyFieldsProps } from './key-fields.tsx'
import { toMissingCredentials } from './key-words.ts'

export function CredentialField({ draft, onChange, faults, isReadOnly = false }: KeyFieldsProps) {
  const { use_credentials: chosen, allowed_providers: allowed } = draft
  const { data: service } = useQuery({ ...serviceQuery, refetchInterval: false })
  const known = (service?.providers ?? []).map(({ id }) => id)
  const usable = allowed.length === 0 ? known : known.filter((id) => allowed.includes(id))
  const missing = toMissingCredentials(chosen, service?.providers ?? null)
  return (
    <div>
      <MultiSelect
        label={KEY_FIELD_NAMES.use_credentials}
        description="Callers need no key of these providers: Weir adds its own from its configuration. Anyone with this key spends on it. Empty: none."
        placeholder={chosen.length === 0 ? 'None: callers send their own' : ''}
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
      <Switch
        mt="md"
        label={KEY_FIELD_NAMES.allow_derived_tokens}
        description="With a stored credential, also where a policy or a blocking budget applies. Whoever has such a token, such as a realtime client secret, calls the provider without Weir: nothing is counted or limited."
        checked={draft.allow_derived_tokens}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => onChange({ allow_derived_tokens: currentTarget.checked })}
      />
    </div>
  )
}
