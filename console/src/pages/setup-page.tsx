// The one-time link of the first start: makes its reader the administrator.
// Must stay true: nothing is spent by opening the page; mail scanners and previews open links too.

import { useState } from 'react'
import type { SetupAnswer } from '../../../src/api/contract.ts'
import { redeemSetupCode } from '../data/api-client.ts'
import type { ApiResult } from '../data/api-client.ts'
import { rememberToken } from '../data/token-memory.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

type Step = 'asking' | 'waiting' | ApiResult<SetupAnswer>

const RECOVERY = 'npx weir tokens create --name admin --scope admin'

export function SetupPage() {
  // Read once: the code leaves the address as soon as it is spent.
  const [code] = useState(() => new URLSearchParams(window.location.search).get('code') ?? '')
  const [step, setStep] = useState<Step>('asking')
  const redeem = async (): Promise<void> => {
    setStep('waiting')
    const result = await redeemSetupCode(code)
    if (result.kind === 'answered') window.history.replaceState(null, '', '/setup')
    setStep(result)
  }
  const isSpent = typeof step === 'object' && step.kind === 'failed' && step.status === 401
  if (typeof step === 'object' && step.kind === 'answered') return <Made answer={step.value} />
  return (
    <Page title="Set up">
      <h1>Set up Weir</h1>
      {code === '' ? (
        <NoCode />
      ) : (
        <>
          <p className="lead">
            This one-time link makes you the administrator of this Weir. You get an access token
            that holds every right there is.
          </p>
          {typeof step === 'object' && <Refused status={step.status} message={step.message} />}
          {!isSpent && (
            <button type="button" disabled={step === 'waiting'} onClick={() => void redeem()}>
              {step === 'waiting' ? 'One moment…' : 'Make me the administrator'}
            </button>
          )}
        </>
      )}
    </Page>
  )
}

function Made({ answer }: { readonly answer: SetupAnswer }) {
  const openConsole = (): void => {
    rememberToken(answer.token)
    window.location.assign('/')
  }
  return (
    <Page title="Set up">
      <h1>You are the administrator</h1>
      <Notice tone="good">
        <p>
          <strong>This token is shown only once.</strong> Weir keeps no copy of it. Put it where you
          keep your passwords before you leave this page.
        </p>
      </Notice>
      <CodeBlock label="Your access token" text={answer.token} />
      <button type="button" onClick={openConsole}>
        Continue to the console
      </button>
    </Page>
  )
}

function Refused({ status, message }: { readonly status: number; readonly message: string }) {
  return (
    <Notice tone="error">
      {status === 401 ? (
        <>
          <p>This link is not valid, or was used already.</p>
          <Recovery />
        </>
      ) : (
        <p>{message}</p>
      )}
    </Notice>
  )
}

function NoCode() {
  return (
    <>
      <p className="lead">
        This page belongs to the one-time link that <code>weir start</code> prints on its very first
        start. The link’s code is missing here: open the link as it was printed.
      </p>
      <Recovery />
    </>
  )
}

function Recovery() {
  return (
    <>
      <p>On the machine Weir runs on, you can always make an administrator’s token:</p>
      <CodeBlock label="Command that creates an administrator’s token" text={RECOVERY} />
    </>
  )
}
