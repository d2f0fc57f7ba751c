// Chooses a key by its name among any number of them.

import { useQuery } from '@tanstack/react-query'
import { keySearchQuery } from '../../data/key-names.ts'
import { keyQuery } from '../../data/keys.ts'
import { FoundSelect } from '../../ui/forms/found-select.tsx'
import type { FoundSelectProps } from '../../ui/forms/found-select.tsx'

export interface KeySelectProps extends Pick<FoundSelectProps, 'value' | 'onChange' | 'error'> {
  readonly label?: string
  /** Where none is chosen. */
  readonly none?: string
}

export function KeySelect({ label = 'Key', none = 'All keys', ...props }: KeySelectProps) {
  const { value } = props
  const { data: chosen } = useQuery({ ...keyQuery(value ?? ''), enabled: value !== undefined })
  return (
    <FoundSelect
      {...props}
      label={label}
      none={none}
      noMatch="No matching key"
      chosen={chosen}
      useFound={useFoundKeys}
    />
  )
}

const useFoundKeys = (search: string, isOpen: boolean) =>
  useQuery({ ...keySearchQuery(search), enabled: isOpen }).data?.rows
