// The API's routes as commands call them, wherever they are.

/** A list is a parameter that is given several times. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>

export type Path = `/v1/${string}`
/** `GET /v1/keys`. */
export type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${Path}`

export interface ApiFile {
  readonly headers: Headers
  /** Pieces that end where a line does. */
  readonly lines: AsyncIterable<string>
}

/** What each of both ways can do; it throws errors of the API as `WeirError`. */
export interface Routes {
  ask(route: Route, given: Given): Promise<unknown>
  readFile(path: Path, query: Query): Promise<ApiFile>
  close(): Promise<void>
}

export interface Given {
  readonly query?: Query
  readonly body?: object | undefined
}

export interface RouteNotes {
  /** Gets what the API says in its header of silent nodes. */
  readonly onSilentNodes: (named: string) => void
  /** Called when the rate limit is reached, with the seconds until the next try. */
  readonly onWait: (seconds: number) => void
}
