// The help texts, generated from the table of commands.

import { SHARED_OPTIONS } from './command.ts'
import type { Command, ListedCommand } from './command.ts'
import { formatTable } from './table.ts'

export function formatProgramHelp(commands: readonly ListedCommand[]): string {
  return [
    'Weir: a pass-through proxy in front of AI providers that knows who spent what.',
    '',
    'Usage: weir COMMAND [options]',
    '',
    formatCommands(commands),
    '',
    'weir COMMAND --help shows the options of a command; weir --version shows the version.',
    'Exit codes: 0 done; 1 failed or refused; 2 the command line is wrong, and nothing was done.',
  ].join('\n')
}

export function formatGroupHelp(noun: string, commands: readonly ListedCommand[]): string {
  return [
    `Usage: weir ${noun} COMMAND [options]`,
    '',
    formatCommands(commands),
    '',
    `weir ${noun} COMMAND --help shows the options of a command.`,
  ].join('\n')
}

export function formatCommandHelp(command: Command): string {
  const rows = Object.entries({ ...command.options, ...SHARED_OPTIONS }).map(([name, option]) => {
    const short = option.short === undefined ? '' : `-${option.short}, `
    const value = option.type === 'boolean' ? '' : ` ${option.value ?? 'VALUE'}`
    const repeat = option.multiple === true ? ' (repeatable)' : ''
    return [`  ${short}--${name}${value}`, `${option.about ?? ''}${repeat}`]
  })
  const local = 'url' in command.options ? [] : ['', LOCAL]
  return [command.summary, '', `Usage: ${command.usage}`, '', formatTable(rows), ...local].join(
    '\n',
  )
}

const LOCAL = 'It works on this machine: there is no --url for a remote Weir.'

function formatCommands(commands: readonly ListedCommand[]): string {
  return formatTable(commands.map(({ path, summary }) => [`  ${path.join(' ')}`, summary]))
}
