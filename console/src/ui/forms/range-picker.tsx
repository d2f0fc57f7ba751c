// Chooses the span of a page: a preset, or two dates with hours, UTC. All of it works by keyboard:
// the button opens it, arrows move among the presets, Escape closes it and returns the focus.

import { Button, Group, Popover, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { DownIcon } from '../icons.tsx'
import { Pills } from './pills.tsx'
import type { PillOption } from './pills.tsx'

export interface RangePickerProps<Preset extends string> {
  readonly presets: readonly PillOption<Preset>[]
  /** Undefined where two dates are chosen. */
  readonly preset: Preset | undefined
  /** What is chosen, in words. */
  readonly text: string
  /** The hours that are shown, in milliseconds; what free dates start from. */
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly onPreset: (preset: Preset) => void
  readonly onSpan: (span: { readonly fromMs: number; readonly toMs: number }) => void
  /** Below the presets. */
  readonly children?: ReactNode
}

const HOUR_S = 3600

export function RangePicker<Preset extends string>(props: RangePickerProps<Preset>) {
  const { presets, preset, text, onPreset, onSpan } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      withinPortal={false}
      trapFocus
      returnFocus
      shadow="md"
      width="min(30rem, calc(100vw - 2.5rem))"
    >
      <Popover.Target>
        <Button
          variant="default"
          className="range-button"
          rightSection={<DownIcon size={14} />}
          aria-label={`Period: ${text}`}
          onClick={() => setOpen((before) => !before)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        aria-label="Choose a period"
        onClick={({ detail, target }) => {
          // Arrow keys choose as well, and go on.
          const isPointer = detail > 0 && target instanceof Element
          if (isPointer && target.closest('.pill') !== null) setOpen(false)
        }}
      >
        <Pills label="Period" value={preset} options={presets} onChoose={onPreset} />
        {props.children}
        <SpanForm
          // Begins with what is shown, also after a preset was chosen.
          key={`${props.fromMs} ${props.toMs}`}
          fromMs={props.fromMs}
          toMs={props.toMs}
          onSpan={(span) => {
            setOpen(false)
            onSpan(span)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface SpanFormProps {
  readonly fromMs: number
  readonly toMs: number
  readonly onSpan: RangePickerProps<string>['onSpan']
}

function SpanForm({ fromMs, toMs, onSpan }: SpanFormProps) {
  const [from, setFrom] = useState(toInput(fromMs))
  const [to, setTo] = useState(toInput(toMs))
  const [isTried, setTried] = useState(false)
  const fault = findFault(from, to)
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (fault === null) onSpan({ fromMs: fromInput(from), toMs: fromInput(to) })
  }
  return (
    <form className="range-form" onSubmit={apply} noValidate>
      <div className="range-dates">
        <TextInput
          label="From (UTC)"
          type="datetime-local"
          step={HOUR_S}
          value={from}
          onChange={({ currentTarget: { value } }) => setFrom(value)}
        />
        <TextInput
          label="To (UTC)"
          type="datetime-local"
          step={HOUR_S}
          value={to}
          error={isTried ? fault : null}
          onChange={({ currentTarget: { value } }) => setTo(value)}
        />
      </div>
      <Group justify="flex-end">
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Group>
    </form>
  )
}

/** The input knows no time zone: its value is UTC. */
function toInput(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 16)
}

/** The hour that it is in; NaN where it is none. */
function fromInput(text: string): number {
  return Math.floor(Date.parse(`${text}Z`) / (HOUR_S * 1000)) * HOUR_S * 1000
}

export function findFault(from: string, to: string): string | null {
  const [fromMs, toMs] = [fromInput(from), fromInput(to)]
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return 'Give both dates with an hour.'
  return fromMs < toMs ? null : 'The end must be at least an hour after the beginning.'
}
