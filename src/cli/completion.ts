// weir completion: a script for the shell, generated from the table of commands.

import { invalidArgument, SHARED_OPTIONS } from './command.ts'
import type { CommandBody, CommandInput, ListedCommand } from './command.ts'
import { suggest } from './suggest.ts'

/** Given the table, which names this file. */
export function createCompletionCommand(table: readonly ListedCommand[]): CommandBody {
  return { arguments: ['SHELL'], run: (input) => printScript(input, table) }
}

/** A command as shells need it. Names are plain words, which need no quotes. */
interface Completed {
  readonly path: readonly string[]
  readonly summary: string
  readonly options: readonly string[]
}

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish } as const

async function printScript(input: CommandInput, table: readonly ListedCommand[]): Promise<number> {
  const shell = input.arguments[0] as string
  if (!Object.hasOwn(SCRIPTS, shell)) {
    const shells = Object.keys(SCRIPTS)
    const hint = suggest(shell, shells) ?? `Choose one of: ${shells.join(', ')}.`
    throw invalidArgument(`There is no completion for "${shell}".`, hint)
  }
  const commands = await Promise.all(
    table.map(async ({ path, summary, load }): Promise<Completed> => {
      const names = Object.keys({ ...(await load()).options, ...SHARED_OPTIONS })
      return { path, summary, options: names.map((name) => `--${name}`) }
    }),
  )
  input.out(SCRIPTS[shell as keyof typeof SCRIPTS](commands))
  return 0
}

/** By the words before: `''` has the nouns, `keys` its verbs. */
function listWords(commands: readonly Completed[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, Set<string>>()
  for (const { path } of commands) {
    for (const [at, word] of path.entries()) {
      const before = path.slice(0, at).join(' ')
      words.set(before, (words.get(before) ?? new Set()).add(word))
    }
  }
  return new Map([...words].map(([before, next]) => [before, [...next]]))
}

/** After an option that is given nothing here, and for arguments, bash completes file names. */
function toBash(commands: readonly Completed[]): string {
  const words = [...listWords(commands)].map(
    ([before, next]) => `    '${before}') words='${next.join(' ')}' ;;`,
  )
  const options = commands.map(
    ({ path, options: names }) => `    '${path.join(' ')}') options='${names.join(' ')}' ;;`,
  )
  return [
    '# Completion of weir for bash: source <(weir completion bash)',
    '_weir() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} before="" words="" options="" index',
    '  for ((index = 1; index < COMP_CWORD && index < 3; index++)); do',
    '    [[ ${COMP_WORDS[index]} == -* ]] && break',
    '    before="${before:+$before }${COMP_WORDS[index]}"',
    '  done',
    '  case $before in',
    ...words,
    '  esac',
    '  case $before in',
    ...options,
    `    *) case \${before%% *} in`,
    ...options.filter((line) => !/^ +'[\w-]+ /.test(line)).map((line) => `  ${line}`),
    '    esac ;;',
    '  esac',
    '  if [[ $current == -* ]]; then words=$options; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _weir weir',
  ].join('\n')
}

/** By bash's own function, which zsh can run. */
function toZsh(commands: readonly Completed[]): string {
  const [, ...script] = toBash(commands).split('\n')
  return [
    '# Completion of weir for zsh: source <(weir completion zsh)',
    'autoload -Uz compinit bashcompinit && compinit && bashcompinit',
    ...script,
  ].join('\n')
}

function toFish(commands: readonly Completed[]): string {
  const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
  const words = [...listWords(commands)].flatMap(([before, next]) =>
    next.map((word) => {
      const { summary = '' } =
        commands.find(({ path }) => path.join(' ') === `${before} ${word}`.trim()) ?? {}
      const about = summary === '' ? '' : ` -d ${quote(summary)}`
      return `complete -c weir -f -n ${quote(`__weir_after ${before}`.trim())} -a ${word}${about}`
    }),
  )
  const options = commands.flatMap(({ path, options: names }) =>
    names.map((name) => {
      const after = quote(`__weir_in ${path.join(' ')}`)
      return `complete -c weir -n ${after} -l ${name.slice(2)}`
    }),
  )
  return [
    '# Completion of weir for fish: weir completion fish | source',
    'function __weir_after',
    '  set -l words (commandline -opc)',
    '  test "$words[2..-1]" = "$argv"',
    'end',
    'function __weir_in',
    '  set -l words (commandline -opc)',
    '  test (count $words) -gt (count $argv); or return 1',
    '  test "$words[2..(math 1 + (count $argv))]" = "$argv"',
    'end',
    ...words,
    ...options,
  ].join('\n')
}
