// Above every page while calls may go unrecorded or wait on a machine that is silent, and after
// calls were lost.

import { Alert, Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { journalQuery } from '../data/service.ts'
import { useSeesCompany } from '../data/session.ts'
import { WarningIcon } from '../ui/icons.tsx'
import { toJournalWords, toSilentWords } from './journal-words.ts'
import type { JournalWords } from './journal-words.ts'

const COLORS = { bad: 'red', warning: 'yellow' } as const

export function JournalBanner() {
  const isShown = useSeesCompany()
  const { data } = useQuery({ ...journalQuery, enabled: isShown })
  const [seenLost, setSeenLost] = useLocalStorage({ key: 'weir-seen-lost', defaultValue: 0 })
  if (data === undefined) return null
  return (
    <>
      <Banner words={toJournalWords(data, seenLost)} onDismiss={() => setSeenLost(data.lost)} />
      <Banner words={toSilentWords(data)} />
    </>
  )
}

function Banner({ words, onDismiss }: { words: JournalWords | null; onDismiss?: () => void }) {
  if (words === null) return null
  const { tone, title, text, canDismiss } = words
  return (
    <Alert role="alert" color={COLORS[tone]} title={title} icon={<WarningIcon />} mb="lg">
      <p className="fault-text">{text}</p>
      {canDismiss && (
        <Button size="xs" variant="default" mt="sm" onClick={onDismiss}>
          Dismiss
        </Button>
      )}
    </Alert>
  )
}
