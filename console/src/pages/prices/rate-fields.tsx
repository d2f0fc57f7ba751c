// How much: rates by unit, the usual ones visible and the others folded, or a factor on the list.

import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { isWrongRate } from './price-draft.ts'
import type { PriceDraft, PriceFaults } from './price-draft.ts'
import { OTHER_UNITS, TOKEN_UNITS, toUnitName } from './price-words.ts'
import { Pills } from '../../ui/forms/pills.tsx'
import '../keys/pattern-help.css'

/** Of each part of the form. */
export interface PriceFieldsProps {
  readonly draft: PriceDraft
  readonly onChange: (change: Partial<PriceDraft>) => void
  readonly faults: PriceFaults
}

const KINDS = [
  { value: 'rates', label: 'Rates' },
  { value: 'multiplier', label: 'A factor on the listed price' },
] as const

/** How many of the token units are visible. */
const USUAL_COUNT = 3

export function RateFields(props: PriceFieldsProps) {
  const { draft, onChange } = props
  return (
    <Stack gap="sm">
      <Pills
        label="Price"
        options={KINDS}
        value={draft.kind}
        onChoose={(kind) => onChange({ kind })}
      />
      {draft.kind === 'rates' ? <Rates {...props} /> : <Factor {...props} />}
    </Stack>
  )
}

function Factor({ draft, onChange, faults }: PriceFieldsProps) {
  return (
    <TextInput
      label="Factor"
      description="0.8 is 20 % off the list price at the time, in every service tier."
      placeholder="0.8"
      inputMode="decimal"
      autoComplete="off"
      maw="22rem"
      value={draft.multiplier}
      onChange={(event) => onChange({ multiplier: event.currentTarget.value })}
      error={faults.multiplier}
    />
  )
}

function Rates(props: PriceFieldsProps) {
  const { draft, onChange, faults } = props
  const { units } = draft
  const usual: readonly string[] = [...TOKEN_UNITS.slice(0, USUAL_COUNT), ...units]
  const hasHiddenFault =
    faults.tier !== undefined ||
    (faults.rates !== undefined &&
      Object.keys(draft.rates).some((unit) => isWrong(unit, draft) && !usual.includes(unit)))
  return (
    <div>
      {units.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            USD per unit, as the calls without a price counted them.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" mb="md">
            {units.map((unit) => (
              <RateInput key={unit} unit={unit} {...props} />
            ))}
          </SimpleGrid>
        </>
      )}
      <Text size="sm" c="dimmed" mb="xs">
        USD per million tokens. They replace the whole listed price: tools and fees that you leave
        out have no rate. Cached input without a rate costs the same as input.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        {TOKEN_UNITS.slice(0, USUAL_COUNT).map((unit, place) => (
          <RateInput key={unit} unit={unit} {...props} isFirst={place === 0} />
        ))}
      </SimpleGrid>
      <details className="pattern-help" open={hasHiddenFault ? true : undefined}>
        <summary>More units, and the service tier</summary>
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" mt="sm">
          {TOKEN_UNITS.slice(USUAL_COUNT).map((unit) => (
            <RateInput key={unit} unit={unit} {...props} />
          ))}
        </SimpleGrid>
        <Text size="sm" c="dimmed" mt="md" mb="xs">
          USD per unit.
        </Text>
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm">
          {OTHER_UNITS.filter((unit) => !units.includes(unit)).map((unit) => (
            <RateInput key={unit} unit={unit} {...props} />
          ))}
        </SimpleGrid>
        <TextInput
          mt="md"
          label="Service tier"
          description="Empty: the standard tier, and the others by the ratio of their list prices."
          placeholder="batch"
          maw="22rem"
          value={draft.tier}
          onChange={(event) => onChange({ tier: event.currentTarget.value })}
          error={faults.tier}
        />
      </details>
    </div>
  )
}

function isWrong(unit: string, { rates }: PriceDraft): boolean {
  return isWrongRate(rates[unit] ?? '')
}

interface RateInputProps extends PriceFieldsProps {
  readonly unit: string
  /** Stands for all of them where none is wrong by itself. */
  readonly isFirst?: boolean
}

function RateInput({ unit, draft, onChange, faults, isFirst = false }: RateInputProps) {
  const hasWrong = Object.keys(draft.rates).some((each) => isWrong(each, draft))
  const isShown = hasWrong ? isWrong(unit, draft) : isFirst
  return (
    <TextInput
      label={toUnitName(unit)}
      inputMode="decimal"
      autoComplete="off"
      leftSection="$"
      value={draft.rates[unit] ?? ''}
      onChange={(event) =>
        onChange({ rates: { ...draft.rates, [unit]: event.currentTarget.value } })
      }
      error={isShown ? faults.rates : undefined}
    />
  )
}
