// The months of an answer whose costs were changed after the fact.

import { useQuery } from '@tanstack/react-query'
import { listRepriced, repricedQuery, toRepricedWords } from '../../data/repriced.ts'
import type { ShownSpan } from '../../data/repriced.ts'
import { RepricedNote } from '../../ui/repriced-note.tsx'

export function RepricedMonths({ answer }: { readonly answer: ShownSpan | undefined }) {
  const { data } = useQuery(repricedQuery)
  if (answer === undefined) return null
  return listRepriced(data?.repriced, answer).map((entry) => (
    <RepricedNote key={entry.month} text={`${toRepricedWords(entry, answer.asOf)}.`} />
  ))
}
