// Above every page while calls may go unrecorded, and after calls were lost.

import { Alert, Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { journalQuery } from '../data/service.ts'
import { WarningIcon } from '../ui/icons.tsx'
import { toJournalWords } from './journal-words.ts'

const COLORS = { bad: 'red', warning: 'yellow' } as const

export function JournalBanner() {
  const { data } = useQuery(journalQuery)
  const [seenLost, setSeenLost] = useLocalStorage({ key: 'weir-seen-lost', defaultValue: 0 })
  const words = data === undefined ? null : toJournalWords(data, seenLost)
  if (data === undefined || words === null) return null
  const { tone, title, text, canDismiss } = words
  return (
    <Alert role="alert" color={COLORS[tone]} title={title} icon={<WarningIcon />} mb="lg">
      <p className="fault-text">{text}</p>
      {canDismiss && (
        <Button size="xs" variant="default" mt="sm" onClick={() => setSeenLost(data.lost)}>
          Dismiss
        </Button>
      )}
    </Alert>
  )
}
