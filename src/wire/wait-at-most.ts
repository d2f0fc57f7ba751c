// Waits for work that calls back, but not without end. Must stay true: `done` runs once, and in the
// same call where the work did so.

export interface WaitAtMostOptions {
  readonly ms: number
  /** Starts the work, or asks to be called back by work that runs. */
  readonly start: (done: () => void) => void
  /** It took too long: called before `done`. */
  readonly expired: () => void
  readonly done: () => void
}

export function waitAtMost({ ms, start, expired, done }: WaitAtMostOptions): void {
  let timer: NodeJS.Timeout | null = null
  let isDone = false
  const finish = (): void => {
    if (isDone) return
    isDone = true
    if (timer !== null) clearTimeout(timer)
    done()
  }
  start(finish)
  if (isDone) return
  timer = setTimeout(() => {
    expired()
    finish()
  }, ms)
}
