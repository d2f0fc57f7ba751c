// What repricing would change, by model and by key, and what stays without a cost.

import { Stack, Text } from '@mantine/core'
import type { RepriceAnswer } from '../../../../src/api/contract.ts'
import { formatCount, formatCounted } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toBeforeWords } from './price-words.ts'
import { useKeyNames } from '../../data/key-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { Stat, Stats } from '../../ui/charts/stat.tsx'

export interface RepriceDiffProps {
  readonly answer: RepriceAnswer
}

type Sum = Pick<RepriceAnswer, 'calls' | 'before_usd' | 'after_usd' | 'difference_usd'>

function toColumns<Row extends Sum>(
  header: string,
  cell: (row: Row) => string,
): readonly TableColumn<Row>[] {
  return [
    { id: 'what', header, cell: (row) => cell(row) },
    { id: 'calls', header: 'Calls', align: 'right', cell: (row) => formatCount(row.calls) },
    {
      id: 'before',
      header: 'Before',
      align: 'right',
      isWideOnly: true,
      cell: (row) => toBeforeWords(row.before_usd),
      amount: (row) => toBeforeWords(row.before_usd),
    },
    {
      id: 'after',
      header: 'After',
      align: 'right',
      cell: (row) => formatUsd(Number(row.after_usd)),
      amount: (row) => formatUsd(Number(row.after_usd)),
    },
  ]
}

export function RepriceDiff({ answer }: RepriceDiffProps) {
  return (
    <Stack gap="md">
      {answer.calls > 0 ? (
        <Changes answer={answer} />
      ) : (
        <Text>No recorded call would change its cost.</Text>
      )}
      {answer.unpriced.length > 0 && <Unpriced rows={answer.unpriced} />}
      {answer.kept > 0 && (
        <Text size="sm" c="dimmed">
          {formatCounted(answer.kept, 'call')} {answer.kept === 1 ? 'keeps its' : 'keep their'}{' '}
          cost, because today’s prices have none for {answer.kept === 1 ? 'it' : 'them'}.
        </Text>
      )}
    </Stack>
  )
}

const MAX_HEIGHT = '14rem'

function Changes({ answer }: RepriceDiffProps) {
  const keyNames = useKeyNames(answer.by_key.length)
  return (
    <>
      <Stats>
        <Stat label="Calls that change" value={formatCount(answer.calls)} />
        <Stat label="Cost before" value={toBeforeWords(answer.before_usd)} />
        <Stat label="Cost after" value={formatUsd(Number(answer.after_usd))} />
      </Stats>
      <DataTable
        caption="Change by model"
        columns={toColumns<RepriceAnswer['by_model'][number]>(
          'Model',
          (row) => `${row.provider}/${row.model ?? 'not named'}`,
        )}
        rows={answer.by_model}
        rowKey={(row) => JSON.stringify([row.provider, row.model])}
        empty={null}
        maxHeight={MAX_HEIGHT}
      />
      <DataTable
        caption="Change by key"
        columns={toColumns<RepriceAnswer['by_key'][number]>('Key', ({ api_key: id }) =>
          id === null ? 'No key' : (keyNames.get(id) ?? id),
        )}
        rows={answer.by_key}
        rowKey={(row) => row.api_key ?? ''}
        empty={null}
        maxHeight={MAX_HEIGHT}
      />
    </>
  )
}

function Unpriced({ rows }: { readonly rows: RepriceAnswer['unpriced'] }) {
  return (
    <div>
      <Text fw={600}>What stays without a cost</Text>
      <ul className="price-unpriced">
        {rows.map((row) => (
          <li key={JSON.stringify(row)}>
            {row.provider}, {formatCounted(row.calls, 'call')}: {row.reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
