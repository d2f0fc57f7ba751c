// Creates a key: a name is enough, all else can wait. Then shows its secret, once.

import { Accordion, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { NewKeyBody } from '../../../../src/api/contract.ts'
import { KEY_BUDGET_FIELDS } from '../../../../src/resources/key-budget.ts'
import { hasBudget, KEY_BUDGET_FORM, KEY_FORM, NO_BUDGET, withoutEmpty } from './key-draft.ts'
import type { KeyBudgetDraft, KeyDraft, KeyField } from './key-draft.ts'
import { useCreateKey } from '../../data/keys.ts'
import { useCan } from '../../data/session.ts'
import { useUnsaved } from '../../data/unsaved.ts'
import { FieldInputs } from '../../ui/forms/field-inputs.tsx'
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
  /** What its form begins with, such as a team. */
  readonly first?: Partial<KeyDraft>
}

export function CreateKey({ first = NOTHING, ...dialog }: CreateKeyProps) {
  const create = useCreateKey()
  return (
    <OnceDialog
      {...dialog}
      making={create}
      title={(made) => (made === undefined ? 'Create an API key' : `Key ${made.name}`)}
      form={(close) => <CreateKeyForm first={first} create={create} onCancel={close} />}
      secret={(made, close) => <KeySecret made={made} title="The key is ready" onKept={close} />}
    />
  )
}

const NOTHING: Partial<KeyDraft> = {}

interface CreateKeyFormProps {
  readonly first: Partial<KeyDraft>
  readonly create: ReturnType<typeof useCreateKey>
  readonly onCancel: () => void
}

function CreateKeyForm({ first, create, onCancel }: CreateKeyFormProps) {
  const { error, isPending, mutate } = create
  const [budget, setBudget] = useState(NO_BUDGET)
  const canBudget = useCan('write:budgets')
  useUnsaved(budget !== NO_BUDGET)
  const wrong = hasBudget(budget) ? KEY_BUDGET_FORM.findFaults(budget) : {}
  const send = (body: NewKeyBody): void => {
    const made = hasBudget(budget) && { budget: KEY_BUDGET_FORM.toBody(budget, Date.now()) }
    mutate({ ...withoutEmpty(body), ...made } as NewKeyBody)
  }
  const { fields, rest, submit } = useNew(KEY_FORM, {
    first: { ...KEY_FORM.empty, ...first },
    error,
    onSend: send,
  })
  const onChange = (part: Partial<KeyBudgetDraft>) => setBudget((old) => ({ ...old, ...part }))
  return (
    <form onSubmit={(event) => submit(event, Object.keys(wrong).length === 0)} noValidate>
      <Stack gap="md">
        <AboutFields {...fields} />
        <Sections fields={fields}>
          {canBudget && (
            <Accordion.Item value="budget">
              <Accordion.Control>Budget</Accordion.Control>
              <Accordion.Panel>
                <Stack gap="md">
                  <FieldInputs
                    fields={KEY_BUDGET_FIELDS}
                    names={['limit_usd', 'period', 'blocking']}
                    draft={budget}
                    onChange={onChange}
                    faults={wrong}
                  />
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          )}
        </Sections>
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

interface SectionsProps {
  readonly fields: KeyFieldsProps
  readonly children: ReactNode
}

/** Optional parts are folded; a part that was refused is open. */
function Sections({ fields, children }: SectionsProps) {
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
      {children}
    </Accordion>
  )
}
