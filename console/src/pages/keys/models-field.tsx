// The patterns of a key's allowed models: models that were used or have a price are suggested, and
// what matches none of them is warned of before it is saved. Any text may be entered all the same.

import { Alert, TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyModelsAnswer } from '../../../../src/api/contract.ts'
import { KEY_FIELDS } from '../../../../src/resources/key.ts'
import { keyModelsQuery } from '../../data/keys.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import type { KeyDraft } from './key-draft.ts'
import { PatternHelp } from './pattern-help.tsx'

const TYPING_MS = 250
const SUGGESTED_MAX = 50
const { label, form: words } = KEY_FIELDS.allowed_models

type Patterns = Pick<KeyDraft, 'allowed_models' | 'allowed_providers'>

/** What is said of patterns. */
export function warningsQuery({ allowed_models, allowed_providers }: Patterns, isValid = true) {
  const about = {
    allowed_models: [...allowed_models],
    allowed_providers: [...allowed_providers],
    limit: 1,
  }
  return { ...keyModelsQuery(about), enabled: isValid && allowed_models.length > 0 }
}

export interface ModelsFieldProps {
  readonly draft: Patterns
  readonly onChange: (change: Partial<Patterns>) => void
  readonly faults: Partial<Readonly<Record<keyof Patterns, string>>>
  readonly isReadOnly?: boolean
}

export function ModelsField({ draft, onChange, faults, isReadOnly = false }: ModelsFieldProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [sought] = useDebouncedValue(text.trim().slice(0, 100), TYPING_MS)
  const { allowed_models, allowed_providers } = draft
  const providers = [...allowed_providers]
  const suggested = useQuery({
    ...keyModelsQuery({ allowed_providers: providers, search: sought, limit: SUGGESTED_MAX }),
    enabled: isOpen,
  })
  const warned = useQuery(warningsQuery(draft, faults.allowed_models === undefined))
  const warnings = allowed_models.length === 0 ? [] : (warned.data?.warnings ?? [])
  const none = isReadOnly ? 'All models' : words.placeholder
  return (
    <div>
      <TagsInput
        label={label}
        description={words.help}
        placeholder={allowed_models.length === 0 ? none : ''}
        data={toGroups(suggested.data?.rows ?? [])}
        // The server has searched.
        filter={({ options }) => options}
        maxDropdownHeight={260}
        searchValue={text}
        onSearchChange={setText}
        onDropdownOpen={() => setOpen(true)}
        value={[...allowed_models]}
        onChange={(value) => onChange({ allowed_models: value })}
        acceptValueOnBlur
        disabled={isReadOnly}
        error={faults.allowed_models}
        clearButtonProps={{ 'aria-label': 'Remove all patterns' }}
      />
      {/* The element exists before the warning does, so that a screen reader announces it. */}
      <div role="status">
        {!isReadOnly && warnings.length > 0 && (
          <Alert color="yellow" icon={<WarningIcon />} py="xs" mt="xs">
            {warnings.map((warning) => (
              <div key={warning}>{warning}</div>
            ))}
          </Alert>
        )}
      </div>
      <PatternHelp />
    </div>
  )
}

/** By provider; what two of them have in common is offered once. */
function toGroups(rows: KeyModelsAnswer['rows']) {
  const groups = new Map<string, Set<string>>()
  const seen = new Set<string>()
  for (const { provider, slug } of rows) {
    if (seen.has(slug)) continue
    seen.add(slug)
    groups.set(provider, (groups.get(provider) ?? new Set()).add(slug))
  }
  return Array.from(groups, ([group, slugs]) => ({ group, items: [...slugs] }))
}
