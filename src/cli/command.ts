// What a command is, and what every command is given. A command writes to `out` and `err` only and
// throws what it cannot do; main() turns that into text and an exit code.

import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'

/** As for util.parseArgs, with what the help says about it. */
export interface CommandOption extends ParseArgsOptionDescriptor {
  /** The placeholder for the value in the help: `N`, `WHEN`. */
  readonly value?: string
  readonly about?: string
  readonly isRequired?: boolean
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined

export interface Streams {
  /** A line, or several; the line break at the end is added. */
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** How wide the terminal behind `out` is; undefined where it is none. */
  readonly columns?: number | undefined
}

export interface CommandInput extends Streams {
  readonly values: Readonly<Record<string, OptionValue>>
  /** As many as the command names in `arguments`. */
  readonly arguments: readonly string[]
  readonly isJson: boolean
  /** The value of `--config`. */
  readonly configFile: string | undefined
  readonly clock: Clock
}

/** What the list of commands needs, without loading the command's file. */
export interface ListedCommand {
  /** Noun, then verb: `['keys', 'create']`. */
  readonly path: readonly string[]
  readonly summary: string
  readonly load: () => Promise<CommandBody>
}

/** What a command's own file says. */
export interface CommandBody {
  /** The line of the help that shows the whole call. */
  readonly usage: string
  readonly options: Readonly<Record<string, CommandOption>>
  /** The names of what must follow besides options: `['ID']`. */
  readonly arguments?: readonly string[]
  /** Returns the exit code. */
  readonly run: (input: CommandInput) => Promise<number>
}

export type Command = ListedCommand & CommandBody

export const SHARED_OPTIONS: Readonly<Record<string, CommandOption>> = {
  config: { type: 'string', value: 'FILE', about: 'the configuration file (default: weir.yaml)' },
  json: { type: 'boolean', about: 'print JSON, also for errors' },
  help: { type: 'boolean', short: 'h', about: 'show this help' },
}

/** A call that could not be understood, as opposed to one that could not be carried out. */
export class UsageError extends WeirError {
  constructor(message: string, hint: string) {
    super('invalid_argument', message, { hint })
    this.name = 'UsageError'
  }
}

export function invalidArgument(message: string, hint: string): WeirError {
  return new WeirError('invalid_argument', message, { hint })
}

/** The value of a text option; undefined when it was not given. */
export function textOption(input: CommandInput, name: string): string | undefined {
  const value = input.values[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of a text option that may be given several times; undefined when it was not given. */
export function listOption(input: CommandInput, name: string): readonly string[] | undefined {
  const value = input.values[name]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined
}

export function printJson(input: CommandInput, value: unknown): void {
  input.out(JSON.stringify(value, null, 2))
}
