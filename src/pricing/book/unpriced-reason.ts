// Why nobody knows what a call cost. Told apart, because each has another remedy: a price to be set,
// a tier to be priced, a provider that said nothing.

export type UnpricedReason =
  | { readonly kind: 'no-model' }
  | { readonly kind: 'no-price'; readonly model: string }
  | { readonly kind: 'no-tier'; readonly model: string; readonly tier: string }
  | { readonly kind: 'no-tokens' }
  /** The unit as rules and explanations name it. */
  | { readonly kind: 'no-rate'; readonly model: string; readonly unit: string }
  | { readonly kind: 'contradiction'; readonly model: string }
  | { readonly kind: 'beyond-limit' }

/** A part of a sentence: `nobody knows the price of gpt-99`. */
export function describeReason(reason: UnpricedReason): string {
  switch (reason.kind) {
    case 'no-model':
      return 'nothing says which model ran'
    case 'no-price':
      return `no price is known for ${reason.model}`
    case 'no-tier':
      return `no price is known for ${reason.model} in the service tier ${reason.tier}`
    case 'no-tokens':
      return 'nothing says what was used'
    case 'no-rate':
      return `the price of ${reason.model} has no rate for ${reason.unit}`
    case 'contradiction':
      return `the counts of ${reason.model} contradict each other`
    case 'beyond-limit':
      return 'the amount is beyond what a call can cost'
  }
}
