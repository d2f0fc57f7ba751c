// Why a correction stands beside new price data.

/** From the most to the least that the data says about the model. */
export const STANDING_REASONS = ['unchanged', 'older', 'no-price'] as const

export type StandingReason = (typeof STANDING_REASONS)[number]

/** Continues `… stand, because the data …`. */
export function describeStanding(why: StandingReason): string {
  switch (why) {
    case 'unchanged':
      return 'still has what was corrected'
    case 'older':
      return 'is not newer'
    case 'no-price':
      return 'has no price for them'
  }
}
