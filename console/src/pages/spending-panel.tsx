// What was spent today and this month, for whoever holds an access token.

import { Suspense, use, useState, useTransition } from 'react'
import type { SubmitEvent } from 'react'
import type { UsageEnvelope } from '../../../src/api/contract.ts'
import { readSpending } from '../data/api-client.ts'
import type { ApiResult, Spending } from '../data/api-client.ts'
import { formatTime } from '../data/format-time.ts'
import { formatUsd } from '../data/format-usd.ts'
import { forgetToken, recallToken, rememberToken } from '../data/token-memory.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Notice } from '../ui/notice.tsx'
import { ShareList } from '../ui/share-list.tsx'

const CREATE_TOKEN = 'npx weir tokens create --name me --scope read:usage'

interface Reading {
  readonly token: string
  readonly result: Promise<ApiResult<Spending>>
}

function startReading(token: string): Reading {
  return { token, result: readAndRemember(token) }
}

/** Keeps a token once it has proved good, and lets go of one that no longer is. */
async function readAndRemember(token: string): Promise<ApiResult<Spending>> {
  const result = await readSpending(token)
  if (result.kind === 'answered') rememberToken(token)
  else if (result.status === 401) forgetToken()
  return result
}

export function SpendingPanel() {
  const [reading, setReading] = useState<Reading | null>(() => {
    const token = recallToken()
    return token === null ? null : startReading(token)
  })
  // The figures on screen stay there until the new ones have come.
  const [isPending, startTransition] = useTransition()
  const read = (token: string): void => {
    startTransition(() => setReading(startReading(token)))
  }
  const forget = (): void => {
    forgetToken()
    setReading(null)
  }
  return (
    <section className="card" aria-labelledby="spending" aria-busy={isPending}>
      <h2 id="spending">What was spent</h2>
      {reading === null ? (
        <TokenForm onToken={read} />
      ) : (
        <Suspense fallback={<p className="soft">Reading…</p>}>
          <SpendingResult
            reading={reading}
            isPending={isPending}
            onRefresh={() => read(reading.token)}
            onForget={forget}
            onToken={read}
          />
        </Suspense>
      )}
    </section>
  )
}

function TokenForm({ onToken }: { readonly onToken: (token: string) => void }) {
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const token = new FormData(event.currentTarget).get('token')
    if (typeof token === 'string' && token.trim() !== '') onToken(token.trim())
  }
  return (
    <>
      <form onSubmit={submit}>
        <label htmlFor="token">Access token</label>
        <input
          id="token"
          name="token"
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="svc_agt_…"
          aria-describedby="token-note"
        />
        <button type="submit">Show spending</button>
      </form>
      <p id="token-note" className="soft">
        Kept in this tab only, and gone when you close it. If you have none yet, create one:
      </p>
      <CodeBlock label="Command that creates an access token" text={CREATE_TOKEN} />
    </>
  )
}

interface SpendingResultProps {
  readonly reading: Reading
  readonly isPending: boolean
  readonly onRefresh: () => void
  readonly onForget: () => void
  readonly onToken: (token: string) => void
}

function SpendingResult(props: SpendingResultProps) {
  const result = use(props.reading.result)
  if (result.kind === 'failed') {
    return (
      <>
        <Notice tone="error">
          <p>{result.message}</p>
        </Notice>
        {/* A new form for a new try: nobody can mend what they cannot see. */}
        <TokenForm key={props.reading.token} onToken={props.onToken} />
      </>
    )
  }
  const { today, month, models } = result.value
  const shares = models.rows.map((row) => ({
    label: row.label,
    value: row.value,
    text: formatUsd(row.value),
  }))
  return (
    <>
      <dl className="figures">
        <Figure name="Today" envelope={today} />
        <Figure name="This month" envelope={month} />
      </dl>
      <h3>Top models this month</h3>
      <ShareList
        shares={shares}
        empty="No calls this month yet. The first one will show up here."
      />
      <p className="soft">
        As of <time dateTime={month.asOf}>{formatTime(month.asOf)}</time>. Days and months are UTC.
      </p>
      <div className="actions">
        <button type="button" disabled={props.isPending} onClick={props.onRefresh}>
          {props.isPending ? 'Reading…' : 'Refresh'}
        </button>
        <button type="button" className="quiet" onClick={props.onForget}>
          Forget the token
        </button>
      </div>
    </>
  )
}

function Figure({ name, envelope }: { readonly name: string; readonly envelope: UsageEnvelope }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatUsd(envelope.rows[0]?.value ?? 0)}</dd>
    </div>
  )
}
