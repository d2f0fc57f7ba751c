import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { runMain } from '../../test/fakes/command-line.ts'
import { COMMANDS } from './commands.ts'

/** What bash offers for the last word, by its own `complete`. */
async function complete(script: string, words: readonly string[]): Promise<string[]> {
  const program = [
    script,
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length - 1}`,
    "[[ $(complete -p weir) == 'complete -o default -F _weir weir' ]] || exit 9",
    '_weir; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', program])
  return stdout.trim().split('\n').filter(Boolean)
}

test('bash completes commands, their verbs and their options', async () => {
  const { code, out } = await runMain(['completion', 'bash'])
  assert.equal(code, 0)
  assert.deepEqual(await complete(out, ['weir', 'ke']), ['keys'])
  const nouns = new Set(COMMANDS.map(({ path }) => path[0]))
  assert.deepEqual(await complete(out, ['weir', '']), [...nouns])
  assert.deepEqual(await complete(out, ['weir', 'keys', 'r']), ['rotate', 'resume', 'revoke'])
  assert.deepEqual(await complete(out, ['weir', 'keys', 'create', '--allow-']), [
    '--allow-model',
    '--allow-provider',
    '--allow-derived-tokens',
  ])
  assert.deepEqual(await complete(out, ['weir', 'usage', '--metric', 'x', '--dimen']), [
    '--dimension',
  ])
  assert.deepEqual(await complete(out, ['weir', 'backup', 'file', '--fo']), ['--force'])
  assert.deepEqual(await complete(out, ['weir', 'backup', '']), [])
})

test('zsh has the same by its layer for bash, and fish a line for every word and option', async () => {
  const { out: bash } = await runMain(['completion', 'bash'])
  const { out: zsh } = await runMain(['completion', 'zsh'])
  assert.match(zsh, /^autoload -Uz compinit bashcompinit && compinit && bashcompinit$/m)
  assert.ok(zsh.endsWith(bash.split('\n').slice(1).join('\n')))
  const { out: fish } = await runMain(['completion', 'fish'])
  for (const { path, load } of COMMANDS) {
    const before = ['__weir_after', ...path.slice(0, -1)].join(' ')
    const line = `complete -c weir -f -n '${before}' -a ${path.at(-1)} -d '`
    assert.ok(fish.includes(`\n${line}`), line)
    for (const name of Object.keys((await load()).options ?? {})) {
      assert.ok(fish.includes(`\ncomplete -c weir -n '__weir_in ${path.join(' ')}' -l ${name}`))
    }
  }
})

test('another shell is refused', async () => {
  const { code, err } = await runMain(['completion', 'bsh'])
  assert.equal(code, 2)
  assert.match(err, /There is no completion for "bsh"\.\nDid you mean bash\?/)
})
