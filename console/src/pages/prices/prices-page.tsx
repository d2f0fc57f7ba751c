// Prices: what models cost, the operator's own prices, and calls without one.

import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { RepriceRequest } from '../../../../src/api/contract.ts'
import type { PricesSearch } from '../../data/page-search.ts'
import { NEW_PRICE_DRAFT } from './price-draft.ts'
import type { PriceDraft } from './price-draft.ts'
import { useCan } from '../../data/session.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/page.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { MissingTab } from './missing-tab.tsx'
import { ModelsTab } from './models-tab.tsx'
import { OverridesTab } from './overrides-tab.tsx'
import { PriceUpdate } from './price-update.tsx'
import { Reprice } from './reprice.tsx'
import { SetPrice } from './set-price.tsx'
import './prices.css'

const route = getRouteApi('/shell/prices')

export function PricesPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const canChange = useCan('write:prices')
  const [draft, setDraft] = useState<PriceDraft | null>(null)
  const [repriced, setRepriced] = useState<RepriceRequest | null>(null)
  const [isChecked, setChecked] = useState(false)
  const { tab = 'models' } = search
  const write = (change: PricesSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  }
  const mending = { canChange, onSet: setDraft, onReprice: setRepriced }
  const actions = (
    <>
      <Button variant="default" onClick={() => setChecked(true)}>
        Check for newer prices
      </Button>
      <Button variant="default" onClick={() => setRepriced({})}>
        Reprice
      </Button>
      <Button leftSection={<PlusIcon size={16} />} onClick={() => setDraft(NEW_PRICE_DRAFT)}>
        Set a price
      </Button>
    </>
  )
  return (
    <Page
      docs="prices"
      title="Prices"
      description="What calls are priced by: your own prices first, then Weir’s list."
      actions={canChange && actions}
    >
      <PageTabs
        label="Prices"
        chosen={tab}
        onChoose={(next) => void navigate({ search: next, replace: true })}
        tabs={[
          {
            name: 'models',
            label: 'Models',
            content: <ModelsTab search={search} onChange={write} {...mending} />,
          },
          {
            name: 'overrides',
            label: 'Your prices',
            content: <OverridesTab canChange={canChange} />,
          },
          {
            name: 'missing',
            label: 'Missing',
            content: <MissingTab {...mending} />,
          },
        ]}
      />
      {canChange && <SetPrice draft={draft} onClose={() => setDraft(null)} />}
      {canChange && <PriceUpdate isOpen={isChecked} onClose={() => setChecked(false)} />}
      {canChange && <Reprice request={repriced} onClose={() => setRepriced(null)} />}
    </Page>
  )
}
