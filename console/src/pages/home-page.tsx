// The first screen: that Weir runs, how to make a first call, and what was spent.

import { Suspense, use, useState } from 'react'
import type { ServiceInfo } from '../../../src/api/contract.ts'
import { readInfo } from '../data/api-client.ts'
import type { ApiResult } from '../data/api-client.ts'
import { createFirstCall } from '../data/first-call.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { SpendingPanel } from './spending-panel.tsx'

type InfoResult = Promise<ApiResult<ServiceInfo>>

export function HomePage() {
  const [info] = useState(readInfo)
  return (
    <Page
      title="Running"
      aside={
        <Suspense fallback={null}>
          <Version info={info} />
        </Suspense>
      }
    >
      <h1>
        <span className="pulse" aria-hidden="true" />
        Weir is running
      </h1>
      <p className="lead">
        Weir stands between your programs and AI providers, passes every call through untouched, and
        records who spent what. Point a client at the address below, and its cost shows up here.
      </p>
      <div className="columns">
        <section className="card" aria-labelledby="first-call">
          <h2 id="first-call">Your first call</h2>
          <Suspense fallback={<p className="soft">Reading…</p>}>
            <FirstCall info={info} />
          </Suspense>
        </section>
        <SpendingPanel />
      </div>
    </Page>
  )
}

function Version({ info }: { readonly info: InfoResult }) {
  const result = use(info)
  return result.kind === 'answered' ? `version ${result.value.version}` : null
}

function FirstCall({ info }: { readonly info: InfoResult }) {
  const result = use(info)
  if (result.kind === 'answered') return <FirstCallSteps info={result.value} />
  return (
    <Notice tone="error">
      <p>{result.message}</p>
    </Notice>
  )
}

function FirstCallSteps({ info }: { readonly info: ServiceInfo }) {
  const [provider, setProvider] = useState(info.providers[0] ?? '')
  return (
    <ol className="steps">
      <li>
        <h3>Create a key</h3>
        <CodeBlock label="Command that creates a key" text="npx weir keys create --name first" />
        <p className="soft">In Weir’s folder. It prints the key once; callers send it along.</p>
      </li>
      <li>
        <h3>Point your client at Weir</h3>
        <fieldset className="choices">
          <legend>Provider</legend>
          {info.providers.map((id) => (
            <label key={id}>
              <input
                type="radio"
                name="provider"
                value={id}
                checked={id === provider}
                onChange={() => setProvider(id)}
              />
              <span>{id}</span>
            </label>
          ))}
        </fieldset>
        <CodeBlock label="Base URL" text={`${info.proxy_url}/v1/${provider}`} />
        <p className="soft">
          Takes the place of the provider’s own address; the provider’s path follows, its{' '}
          <code>/v1</code> included.
        </p>
      </li>
      <li>
        <h3>Call</h3>
        <CodeBlock
          label="Example call with curl"
          text={createFirstCall({ proxyUrl: info.proxy_url, provider })}
        />
      </li>
    </ol>
  )
}
