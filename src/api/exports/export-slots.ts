// How many exports run at a time in this process. Each makes its text on the thread that
// answers everyone else.

export const EXPORT_LIMITS = {
  atOnceMax: 2,
  /** A reader that takes nothing for this long is cut off: its slot is for the others. */
  stallMs: 60_000,
  /** How long an export takes is not known: this only spaces the attempts. */
  retryAfterSeconds: 5,
} as const

export interface ExportSlots {
  /** Call what it returns when the export has ended; null: all slots are taken. */
  take(): (() => void) | null
}

export function createExportSlots(atOnceMax: number): ExportSlots {
  let taken = 0
  return {
    take() {
      if (taken >= atOnceMax) return null
      taken += 1
      let isFree = false
      return () => {
        if (!isFree) taken -= 1
        isFree = true
      }
    },
  }
}
