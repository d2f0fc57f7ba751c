// Creates a key: a name is enough, all else can wait. Then shows its secret, once.

import { Accordion, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { KEY_FORM } from './key-draft.ts'
import type { KeyField } from './key-draft.ts'
import { useCreateKey } from '../../data/keys.ts'
import { FormEnd } from '../../ui/forms/form-end.tsx'
import { OnceDialog } from '../../ui/forms/form-dialog.tsx'
import { useNew } from '../../ui/forms/use-new.ts'
import { CredentialField } from './credential-field.tsx'
import { AboutFields, DimFields, LimitFields, PolicyFields } from './key-fields.tsx'
import type { KeyFieldsProps } from './key-fields.tsx'
import { KeySecret } from './key-secret.tsx'
import { ModelCheck } from './model-check.tsx'

export interface CreateKeyProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CreateKey(dialog: CreateKeyProps) {
  const create = useCreateKey()
  return (
    <OnceDialog
      {...dialog}
      making={create}
      title={(made) => (made === undefined ? 'Create an API key' : `Key ${made.name}`)}
      form={(close) => <CreateKeyForm create={create} onCancel={close} />}
      secret={(made, close) => <KeySecret made={made} title="The key is ready" onKept={close} />}
    />
  )
}

interface CreateKeyFormProps {
  readonly create: ReturnType<typeof useCreateKey>
  readonly onCancel: () => void
}

function CreateKeyForm({ create, onCancel }: CreateKeyFormProps) {
  const { error, isPending, mutate } = create
  const { fields, rest, submit } = useNew(KEY_FORM, { error, onSend: (body) => mutate(body) })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <AboutFields {...fields} />
        <Sections {...fields} />
      </Stack>
      <FormEnd error={rest} action="Create key" isPending={isPending} onCancel={onCancel} />
    </form>
  )
}

interface Section {
  readonly id: string
  readonly title: string
  readonly fields: readonly KeyField[]
  readonly content: (fields: KeyFieldsProps) => ReactNode
}

const SECTIONS: readonly Section[] = [
  {
    id: 'policy',
    title: 'Models and providers',
    fields: ['allowed_models', 'allowed_providers', 'use_credentials', 'allow_derived_tokens'],
    content: (fields) => (
      <Stack gap="lg">
        <PolicyFields {...fields} />
        <CredentialField {...fields} />
        <div>
          <Title order={4} size="h3" mb="xs">
            Can it use this model?
          </Title>
          <ModelCheck draft={fields.draft} />
        </div>
      </Stack>
    ),
  },
  {
    id: 'dims',
    title: 'Dimensions',
    fields: ['default_dims', 'locked_dims', 'required_dims'],
    content: (fields) => <DimFields {...fields} />,
  },
  {
    id: 'limits',
    title: 'Limits and expiry',
    fields: ['rate_limit_rpm', 'max_parallel', 'expires_at'],
    content: (fields) => <LimitFields {...fields} />,
  },
]

/** Optional parts are folded; a part that was refused is open. */
function Sections(fields: KeyFieldsProps) {
  const [opened, setOpened] = useState<readonly string[]>([])
  const refused = SECTIONS.filter((section) =>
    section.fields.some((field) => fields.faults[field] !== undefined),
  ).map(({ id }) => id)
  return (
    <Accordion
      multiple
      variant="contained"
      order={3}
      value={[...new Set([...opened, ...refused])]}
      onChange={setOpened}
    >
      {SECTIONS.map(({ id, title, content }) => (
        <Accordion.Item key={id} value={id}>
          <Accordion.Control>{title}</Accordion.Control>
          <Accordion.Panel>{content(fields)}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
