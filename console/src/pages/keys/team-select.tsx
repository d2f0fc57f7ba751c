// Chooses a team by its name among any number of them. One that is archived is shown where it is
// chosen, and not offered.

import { useQuery } from '@tanstack/react-query'
import { teamQuery, teamSearchQuery } from '../../data/teams.ts'
import { FoundSelect } from '../../ui/forms/found-select.tsx'
import type { FoundSelectProps } from '../../ui/forms/found-select.tsx'

export interface TeamSelectProps extends Pick<
  FoundSelectProps,
  'value' | 'onChange' | 'error' | 'description' | 'isReadOnly'
> {
  readonly label?: string
  /** Where none is chosen. */
  readonly none: string
}

export function TeamSelect({ label = 'Team', ...props }: TeamSelectProps) {
  const { value } = props
  const { data: chosen } = useQuery({ ...teamQuery(value ?? ''), enabled: value !== undefined })
  return (
    <FoundSelect
      {...props}
      label={label}
      noMatch="No matching team"
      chosen={chosen}
      useFound={useFoundTeams}
    />
  )
}

const useFoundTeams = (search: string, isOpen: boolean) =>
  useQuery({ ...teamSearchQuery(search), enabled: isOpen }).data?.rows
