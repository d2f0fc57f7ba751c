// What a command is. It writes to `out` and `err` only; main() turns what it throws into text.

import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'

export interface CommandOption extends ParseArgsOptionDescriptor {
  /** In the help: `N`, `WHEN`. */
  readonly value?: string
  readonly about?: string
  readonly isRequired?: boolean
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined

export interface Streams {
  /** One or more lines, without the final line break. */
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Undefined where `out` is not a terminal. */
  readonly columns?: number | undefined
}

export interface CommandInput extends Streams {
  readonly values: Readonly<Record<string, OptionValue>>
  readonly arguments: readonly string[]
  readonly isJson: boolean
  readonly configFile: string | undefined
  readonly clock: Clock
}

export interface ListedCommand {
  /** `['keys', 'create']`. */
  readonly path: readonly string[]
  readonly summary: string
  readonly load: () => Promise<CommandBody>
}

export interface CommandBody {
  readonly usage: string
  readonly options: Readonly<Record<string, CommandOption>>
  /** `['ID']`. */
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

/**
 * The command line is wrong, whatever is stored and configured: exit code 2. What failed or was
 * refused, although it was understood, is any other error: exit code 1.
 */
export class UsageError extends WeirError {
  constructor(message: string, hint: string) {
    super('invalid_argument', message, { hint })
    this.name = 'UsageError'
  }
}

/** What was written cannot be meant: exit code 2. */
export function invalidArgument(message: string, hint: string): UsageError {
  return new UsageError(message, hint)
}

/** Understood, but not as things are: exit code 1. */
export function refused(message: string, hint: string): WeirError {
  return new WeirError('invalid_argument', message, { hint })
}

/** Undefined when it was not given. */
export function textOption(input: CommandInput, name: string): string | undefined {
  const value = input.values[name]
  return typeof value === 'string' ? value : undefined
}

/** Undefined when it was not given. */
export function listOption(input: CommandInput, name: string): readonly string[] | undefined {
  const value = input.values[name]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined
}

export function printJson(input: CommandInput, value: unknown): void {
  input.out(JSON.stringify(value, null, 2))
}
