// Warns of other keys of the name that is being typed: people would take one for the other. The
// name is accepted all the same.

import { Alert } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { sameNameQuery } from '../../data/keys.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'

const PAUSE_MS = 250
const NAMED_MAX = 3

export interface SameNameProps {
  readonly name: string
  /** The key itself, where it exists. */
  readonly keyId?: string
}

export function SameName({ name, keyId }: SameNameProps) {
  const [typed] = useDebouncedValue(name.trim(), PAUSE_MS)
  const { data } = useQuery(sameNameQuery(typed))
  const isTyping = typed !== name.trim()
  const ids = isTyping ? [] : (data ?? []).filter((id) => id !== keyId)
  // The element exists before the warning does, so that a screen reader announces it.
  return (
    <div role="status">
      {ids.length > 0 && (
        <Alert color="yellow" icon={<WarningIcon />} py="xs">
          There is a key of this name already:{' '}
          {ids.slice(0, NAMED_MAX).map((id, place) => (
            <span key={id}>
              {place > 0 && ', '}
              <TextLink href={`/keys/${encodeURIComponent(id)}`} underline="always">
                <span className="mono">{id}</span>
              </TextLink>
            </span>
          ))}
          {ids.length > NAMED_MAX && ` and ${ids.length - NAMED_MAX} more`}. You can use it all the
          same.
        </Alert>
      )}
    </div>
  )
}
