// How a command calls the API's routes: in process over the data directory of this machine, or over
// HTTP. Must stay true: a command does and prints the same either way.

import { loadConfig, readAccessToken, readRemoteUrl } from '../config/config.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'
import { WeirError } from '../core/weir-error.ts'
import { invalidArgument, option, refused, textOption } from './command.ts'
import type { CommandBody, CommandInput, Shown } from './command.ts'
import { toPrintable } from './printable.ts'
import { createCounter } from './progress.ts'
import type { Given, Path, Query, Route, RouteNotes, Routes } from './routes.ts'
import { suggest } from './suggest.ts'
import { formatRows } from './table.ts'

const URL_OPTION = {
  url: option(
    'URL',
    'ask the API of a remote Weir (default: WEIR_URL), with the token in WEIR_TOKEN',
  ),
}

/** Of work on many calls. */
const PROGRESS_CALLS = 50_000

export type { Path, Query } from './routes.ts'

export interface Api extends Pick<Routes, 'readFile'> {
  /** Null for the data directory. */
  readonly url: string | null
  get<Answer>(path: Path, query?: Query): Promise<Answer>
  /** The rows of a list that has one page. */
  list<Row>(path: Path): Promise<readonly Row[]>
  send<Answer>(route: Route, body?: object): Promise<Answer>
}

/** A command that calls routes. */
export interface ApiCommand extends Omit<CommandBody, 'run'> {
  /** Which a new token needs for it. */
  readonly scope: string
  /** For commands that store something: the first of them may come before the first start. */
  readonly canCreate?: boolean | ((input: CommandInput) => boolean)
  /** It is answered without a data directory, too. */
  readonly worksWithoutData?: boolean
  /** Of one that may take minutes: what to do where a remote Weir is not done by then. */
  readonly longHint?: string
  /** What its first argument is the id of: named where there is none. */
  readonly subject?: Noun
  /**
   * Of a command that changes something: the options of members, where a refusal of the body speaks
   * of these. What else is refused is understood, and so as things are.
   */
  readonly members?: Readonly<Record<string, string>>
  /** What to do about a refusal, by its code. */
  readonly hints?: Readonly<Partial<Record<WeirErrorCode, string>>>
  readonly run: (input: CommandInput, api: Api) => Promise<Shown | number>
}

/** `key`, and the command that lists them. */
export interface Noun {
  readonly noun: string
  readonly list: string
}

/** Opened by the first call of a route: what is wrong with the options is said before that. */
export function apiCommand(command: ApiCommand): CommandBody {
  const { options = {}, run } = command
  return {
    ...command,
    options: { ...options, ...URL_OPTION },
    run: async (input) => {
      const url = textOption(input, 'url') ?? readRemoteUrl()
      const opening: { routes?: Promise<Routes> } = {}
      const open = (): Promise<Routes> =>
        (opening.routes ??=
          url === null ? openHere(input, command) : openThere(input, command, url))
      const translate = (error: unknown): never => {
        throw toCommandError(error, input, command)
      }
      const ask = async (route: Route, given: Given): Promise<unknown> =>
        (await open()).ask(route, given).catch(translate)
      try {
        return await run(input, {
          url,
          get: async <Answer>(path: Path, query: Query = {}) =>
            (await ask(`GET ${path}`, { query })) as Answer,
          list: async <Row>(path: Path) =>
            ((await ask(`GET ${path}`, {})) as { readonly rows: readonly Row[] }).rows,
          send: async <Answer>(route: Route, body?: object) =>
            (await ask(route, { body })) as Answer,
          readFile: async (path, query) => (await open()).readFile(path, query).catch(translate),
        })
      } finally {
        // A failed opening has been thrown already.
        const routes = await opening.routes?.catch(() => null)
        await routes?.close()
      }
    },
  }
}

interface ListCommand<Row> extends Omit<ApiCommand, 'run'> {
  readonly path: Path
  /** Of the rows in JSON. */
  readonly name: string
  /** What is said where there is nothing. */
  readonly none: string
  readonly columns: Readonly<Record<string, (row: Row) => string>>
}

/** A command that shows the rows of one route. */
export function listCommand<Row>(listed: ListCommand<Row>): CommandBody {
  const { path, name, none, columns, ...command } = listed
  return apiCommand({
    ...command,
    run: async (_, api) => {
      const rows = await api.list<Row>(path)
      return { json: { [name]: rows }, text: rows.length === 0 ? none : formatRows(rows, columns) }
    },
  })
}

async function openHere(
  input: CommandInput,
  { canCreate, worksWithoutData }: ApiCommand,
): Promise<Routes> {
  const { configFile, clock, err } = input
  const { openLocalRoutes } = await import('./local-routes.ts')
  return openLocalRoutes({
    config: loadConfig({ file: configFile }),
    clock,
    canCreate: typeof canCreate === 'function' ? canCreate(input) : canCreate,
    worksWithoutData,
    onProgress: createCounter(input, PROGRESS_CALLS, 'calls checked'),
    ...createNotes(err),
  })
}

async function openThere(
  { err }: CommandInput,
  { scope, longHint }: ApiCommand,
  url: string,
): Promise<Routes> {
  const token = readAccessToken()
  if (token === null) {
    throw refused(
      'A remote Weir needs an access token in WEIR_TOKEN.',
      `Create one there: weir tokens create --name me --scope ${scope}`,
    )
  }
  const { openRemoteRoutes } = await import('./remote-routes.ts')
  return openRemoteRoutes({ url, token, longHint, ...createNotes(err) })
}

/** On stderr: what is piped on stays as it is. Silent nodes are named once for all answers. */
function createNotes(err: CommandInput['err']): RouteNotes {
  let noted: string | null = null
  return {
    onSilentNodes: (named) => {
      if (named === noted) return
      noted = named
      err(`Figures may miss calls of nodes that are silent: ${toPrintable(named)}.`)
    },
    onWait: (seconds) => err(`Too many requests; retrying in ${seconds} s.`),
  }
}

/** In the words of the command. */
function toCommandError(
  error: unknown,
  { arguments: [id = ''] }: CommandInput,
  { subject, members, hints = {} }: ApiCommand,
): unknown {
  if (!(error instanceof WeirError)) return error
  const { code, message } = error
  if (code === 'not_found' && subject !== undefined) return noSuch(subject, toId(id))
  const hint = hints[code]
  if (members !== undefined && code === 'invalid_parameter') {
    return toOptionError(message, members, hint ?? error.hint)
  }
  if (code === 'invalid_parameter') {
    return new WeirError(code, toOptionName(message), { hint: hint ?? HELP_HINT, cause: error })
  }
  return hint === undefined ? error : new WeirError(code, message, { hint, cause: error })
}

const HELP_HINT = 'See --help for what can be written.'

/** A parameter is an option of the same name. */
function toOptionName(message: string): string {
  return message.replace(/^Parameter (\w+)/, (_, name: string) => `--${name.replaceAll('_', '-')}`)
}

/** The words with which the API refuses a body, whatever is stored. */
const BODY_REFUSED = 'The body is refused: '

/** Members are named as the options that they are given by. */
function toOptionError(
  message: string,
  members: Readonly<Record<string, string>>,
  hint: string | null,
): WeirError {
  const text = message
    .replace(BODY_REFUSED, '')
    .replaceAll(/\b[a-z]+(?:_[a-z]+)*\b(?= (?:must|is) |: )/g, (word) => members[word] ?? word)
    .replaceAll(/, or (?:be )?null\b/g, '')
  return message.startsWith(BODY_REFUSED)
    ? invalidArgument(text, HELP_HINT)
    : refused(text, hint ?? 'Nothing was changed.')
}

/** `known`: ids that there are, of which one may be meant. */
export function noSuch(
  { noun, list }: Noun,
  id: string,
  known: readonly { readonly id: string }[] = [],
): WeirError {
  const near = suggest(
    id,
    known.map((each) => each.id),
  )
  const hint = near ?? `Run ${list} to list them.`
  return new WeirError('not_found', `There is no ${noun} ${toPrintable(id)}.`, { hint })
}

/** Takes only the id if a whole credential was typed by mistake. */
export function toId(text: string): string {
  return text.split('.', 1)[0] as string
}
