// Runs what is asked as a whole, such as a removal, at the version that was seen. Where others have
// changed it meanwhile, it is refused with what they did, and asking again means anyway.

import { useState } from 'react'
import { meanwhileOf, toAnywayError } from './meanwhile.ts'

export function useAnyway<Answer>(
  version: number,
  run: (version: number) => Promise<Answer>,
): () => Promise<Answer> {
  const [known, setKnown] = useState(0)
  return async () => {
    try {
      // Versions rise: the highest is the last that the user has seen or was shown.
      return await run(Math.max(version, known))
    } catch (error) {
      setKnown(meanwhileOf(error instanceof Error ? error : null)?.version ?? known)
      throw toAnywayError(error)
    }
  }
}
