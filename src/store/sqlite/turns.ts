// One piece of work after the other. Work on SQLite alone awaits nothing but itself, so that a turn
// of it lasts for microtasks only.

export interface Turns {
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createTurns(): Turns {
  let last: Promise<void> | null = null

  return {
    take<Result>(work: () => Promise<Result>): Promise<Result> {
      const turn = last === null ? work() : last.then(work)
      const ended = turn.then(ignore, ignore)
      last = ended
      void ended.then(() => {
        if (last === ended) last = null
      })
      return turn
    },
  }
}

function ignore(): void {}
