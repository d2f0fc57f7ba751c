// What the recipes are run against: the real Weir in front of a simulated provider, with a key for
// each trial.

import { WAYS } from '../../recipes/recipe.ts'
import type { Recipe, WayName } from '../../recipes/recipe.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createCommandLineAt } from '../../test/fakes/command-line.ts'
import { openProgram } from '../../test/fakes/program.ts'
import type { Program } from '../../test/fakes/program.ts'
import { openTlsFront } from '../../test/fakes/servers/tls-front.ts'
import { openRecipeProvider } from '../../test/fakes/upstreams/recipe-provider.ts'
import type { RecipeProvider } from '../../test/fakes/upstreams/recipe-provider.ts'

/** What the provider has to get: the caller's own key, or the one that is stored in Weir. */
export const CREDENTIALS: Readonly<Record<WayName, string>> = {
  header: 'sk-simulated-own',
  stored: 'sk-simulated-stored',
}
const STORED_VARIABLE = 'SIMULATED_CREDENTIAL'

export interface RecipeScene {
  readonly program: Program
  /** The proxy behind TLS, for tools that insist on it. */
  readonly tlsUrl: string
  readonly provider: RecipeProvider
  /** By the recipe's id and the way: one key for each trial, so that calls cannot be mixed up. */
  readonly keys: ReadonlyMap<string, CallerKey>
  /** May read the request log. */
  readonly token: string
  close(): Promise<void>
}

interface CallerKey {
  readonly id: string
  readonly key: string
}

type Access = Pick<RecipeScene, 'keys' | 'token'>

export async function openRecipeScene(recipes: readonly Recipe[]): Promise<RecipeScene> {
  const provider = await openRecipeProvider()
  const ids = [...new Set(recipes.map((recipe) => recipe.provider))]
  const settings = ids.flatMap((id) => [
    [`PROVIDER_${id.toUpperCase()}_URL`, `${provider.url}/${id}`],
    [`PROVIDER_${id.toUpperCase()}_CREDENTIAL`, `env:${STORED_VARIABLE}`],
  ])
  let access: Access = { keys: new Map(), token: '' }
  const program = await openProgram({
    settings: { PROXY_WORKERS: '1', ...(Object.fromEntries(settings) as Record<string, string>) },
    environment: { [STORED_VARIABLE]: CREDENTIALS.stored },
    prepare: async (dataDir) => {
      access = await makeAccess(dataDir, recipes)
    },
  })
  const front = await openTlsFront(program.addresses.proxy)
  return {
    ...access,
    program,
    tlsUrl: front.url,
    provider,
    async close() {
      await front.close()
      await program.close()
      await provider.close()
    },
  }
}

/** Made before the start, by the commands themselves but without a process for each. */
async function makeAccess(dataDir: string, recipes: readonly Recipe[]): Promise<Access> {
  const { json } = createCommandLineAt(dataDir, { nowMs: systemClock.now() })
  const keys = new Map<string, CallerKey>()
  for (const { id, provider } of recipes) {
    for (const way of WAYS) {
      // Without a header there are the key's own dimensions.
      const rights = ['--dim', 'team=search', '--use-credential', provider]
      const words = ['--name', `${id} ${way}`, ...(way === 'stored' ? rights : [])]
      keys.set(`${id} ${way}`, await json('keys', 'create', ...words))
    }
  }
  const words = ['tokens', 'create', '--name', 'recipes', '--scope', 'read:requests']
  return { keys, token: (await json<{ token: string }>(...words)).token }
}
