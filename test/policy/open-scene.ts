// The relay with every provider that Weir knows and one of the operator's own, before one upstream,
// and a key that may use one model of each.

import { createProvider, PROVIDERS } from '../../src/providers/registry.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import type { Script, ScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import { ALLOWED_MODELS } from './attempt.ts'

export interface PolicyScene {
  readonly upstream: ScriptedUpstream
  readonly proxy: TestProxy
  close(): Promise<void>
}

export async function openPolicyScene(script: Script): Promise<PolicyScene> {
  const upstream = await openScriptedUpstream(script)
  const own = createProvider({ id: 'own', shape: 'openai', upstream: upstream.url })
  const providers = [...PROVIDERS, own]
  const proxy = await openTestProxy({
    upstreams: Object.fromEntries(providers.map(({ id }) => [id, upstream.url])),
    providers,
    key: { allowedModels: ALLOWED_MODELS },
  })
  return {
    upstream,
    proxy,
    close: async () => {
      await proxy.close()
      await upstream.close()
    },
  }
}
