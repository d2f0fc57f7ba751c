// Why a call's cost is not known. Each reason has its own remedy: a price to set, a tier to price,
// a provider that reported nothing.

export type UnpricedReason =
  | { readonly kind: 'no-model' }
  | { readonly kind: 'no-price'; readonly model: string }
  | { readonly kind: 'no-tier'; readonly model: string; readonly tier: string }
  | { readonly kind: 'no-tokens' }
  | { readonly kind: 'no-rate'; readonly model: string; readonly unit: string }
  | { readonly kind: 'contradiction'; readonly model: string }
  | { readonly kind: 'beyond-limit' }

/** A part of a sentence: `no price is known for gpt-99`. */
export function describeReason(reason: UnpricedReason): string {
  switch (reason.kind) {
    case 'no-model':
      return 'the model is not known'
    case 'no-price':
      return `no price is known for ${reason.model}`
    case 'no-tier':
      return `no price is known for ${reason.model} in the service tier ${reason.tier}`
    case 'no-tokens':
      return 'the usage is not known'
    case 'no-rate':
      return `the price of ${reason.model} has no rate for ${reason.unit}`
    case 'contradiction':
      return `the counts of ${reason.model} contradict each other`
    case 'beyond-limit':
      return 'the amount is more than a call can cost'
  }
}
