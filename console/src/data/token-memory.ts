// Where the access token is kept: in this tab alone, until it is closed. Must stay true: it is never
// put where another tab, another visit or the server could find it.

const NAME = 'weir.access-token'

export function recallToken(): string | null {
  return sessionStorage.getItem(NAME)
}

export function rememberToken(token: string): void {
  sessionStorage.setItem(NAME, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(NAME)
}
