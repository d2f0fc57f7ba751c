// Can this key use this model? Asked of the policy that is being edited, before it is saved. The
// answer is the server's own, so the rules exist only once.

import { Alert, Autocomplete, Box, Code, Group, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyCheckAnswer } from '../../../../src/api/contract.ts'
import { keyCheckQuery } from '../../data/keys.ts'
import type { KeyDraft } from './key-draft.ts'
import { infoQuery } from '../../data/service.ts'
import { CheckIcon, CloseIcon } from '../../ui/icons.tsx'

export interface ModelCheckProps {
  /** Left out for a key that is not created yet. */
  readonly keyId?: string
  readonly draft: Pick<KeyDraft, 'allowed_models' | 'allowed_providers'>
  /** Models to suggest. */
  readonly models?: readonly string[] | undefined
}

const TYPING_MS = 250

export function ModelCheck({ keyId, draft, models = [] }: ModelCheckProps) {
  const { data: info } = useQuery(infoQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const [model, setModel] = useState('')
  const providers = info?.providers ?? []
  const provider = chosen ?? draft.allowed_providers[0] ?? providers[0] ?? null
  const [question] = useDebouncedValue(
    {
      provider: provider ?? '',
      model: model.trim(),
      allowed_models: [...draft.allowed_models],
      allowed_providers: [...draft.allowed_providers],
      ...(keyId === undefined ? {} : { key_id: keyId }),
    },
    TYPING_MS,
  )
  const isAsked = question.provider !== '' && question.model !== ''
  const { data, error } = useQuery({ ...keyCheckQuery(question), enabled: isAsked })
  return (
    <div>
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <Select
          label="Provider"
          data={providers}
          value={provider}
          onChange={setChosen}
          allowDeselect={false}
          searchable
        />
        <Autocomplete
          label="Model"
          placeholder="As the provider calls it"
          data={[...models]}
          limit={20}
          value={model}
          onChange={setModel}
          error={isAsked ? error?.message : undefined}
        />
      </Group>
      <Box role="status" mih="5.5rem" mt="md">
        {isAsked && data !== undefined && error === null ? (
          <Verdict answer={data} />
        ) : (
          <Text size="sm" c="dimmed">
            Enter a model as a call to the provider would. The answer follows the form, saved or
            not.
          </Text>
        )}
      </Box>
    </div>
  )
}

function Verdict({ answer }: { readonly answer: KeyCheckAnswer }) {
  const { allowed, reason, slug, pattern } = answer
  return (
    <Alert
      // The element around it announces it.
      role="presentation"
      color={allowed ? 'green' : 'red'}
      icon={allowed ? <CheckIcon /> : <CloseIcon />}
      title={allowed ? 'Yes, it can' : 'No, it would be refused'}
    >
      {reason}
      {pattern === null && (
        <Text size="sm" mt={4}>
          Its name in policies is <Code>{slug}</Code>.
        </Text>
      )}
    </Alert>
  )
}
