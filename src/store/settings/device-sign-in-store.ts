// Sign-ins by device code (RFC 8628): from the codes that a client asks for, over a person's word,
// to the tokens it is given. Must stay true: a device code and a refresh token work once, whoever
// is faster, and of all of them only hashes are stored.

/** Of all that wait for a person, and of those that one address asked for. */
export const WAITING_MAX = 2000
export const WAITING_PER_ADDRESS_MAX = 20

export interface AskedSignIn {
  readonly codeHash: string
  readonly deviceHash: string
  /** As the client calls itself. */
  readonly agent: string | null
  readonly address: string
}

export interface WaitingSignIn extends Pick<AskedSignIn, 'agent' | 'address'> {
  readonly askedAt: number
  readonly endsAt: number
}

/** The person's word. Approving names the key whose secret the client is given. */
export type SignInDecision =
  | { readonly kind: 'denied' }
  | { readonly kind: 'approved'; readonly userId: string; readonly keyId: string }

/** What a client is given next: hashes, and until when. */
export interface NextTokens {
  readonly secretHash: string
  readonly accessEndsAt: number
  readonly refreshHash: string
  readonly refreshEndsAt: number
  readonly address: string
}

export interface IssuedTokens {
  readonly kind: 'issued'
  /** Of the refresh token. */
  readonly id: string
  readonly keyId: string
  readonly userId: string
}

export type RedeemedCode =
  | IssuedTokens
  | { readonly kind: 'pending' | 'slow_down' | 'denied' | 'expired' | 'unknown' }

/** `reused`: it was replaced before, and came from elsewhere: the sign-in has ended. */
export type RefreshedTokens = IssuedTokens | { readonly kind: 'refused' | 'reused' }

export interface DeviceSignInStore {
  /** False where too many wait already. */
  ask(asked: AskedSignIn): Promise<boolean>
  /** Null where none waits with this code. */
  find(codeHash: string): Promise<WaitingSignIn | null>
  /** False where it no longer waits. */
  decide(codeHash: string, decision: SignInDecision): Promise<boolean>
  /** The key has the new secret in the same transaction. */
  redeem(deviceHash: string, next: NextTokens): Promise<RedeemedCode>
  refresh(given: { id: string; secret: string }, next: NextTokens): Promise<RefreshedTokens>
  /** Revokes the key as well. False where there is no such sign-in. */
  end(which: { keyId: string } | { id: string; secret: string }): Promise<boolean>
}
