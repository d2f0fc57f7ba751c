// The console's icons, in one stroke and the colour of the text around them. Screen readers skip
// them, so their meaning is beside them in words or in a label.

import type { ReactNode } from 'react'

export interface IconProps {
  /** In px. */
  readonly size?: number
}

export type Icon = (props: IconProps) => ReactNode

function draw(...paths: readonly string[]): Icon {
  return function IconDrawing({ size = 18 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {paths.map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
    )
  }
}

export const OverviewIcon = draw('M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z')
export const ExploreIcon = draw('M4 20V4', 'M4 20h16', 'M8 16v-4', 'M12.5 16V8', 'M17 16v-6')
export const PerformanceIcon = draw('M4.5 18a8.5 8.5 0 1 1 15 0', 'M12 15l4-5', 'M12 15h.01')
export const RequestsIcon = draw('M4 6h16', 'M4 12h16', 'M4 18h10')
export const KeyIcon = draw(
  'M15 9a4 4 0 1 0-3.6 4L14 15.6V18h2.4v2.4H20V17l-5.3-5.3A4 4 0 0 0 15 9z',
  'M10.5 8.5h.01',
)
export const TeamIcon = draw(
  'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  'M3 19a6 6 0 0 1 12 0',
  'M15.5 5.5a3 3 0 0 1 0 5.5',
  'M17.5 14a6 6 0 0 1 3.5 5',
)
export const ConnectIcon = draw(
  'M8 3v5',
  'M16 3v5',
  'M5.5 8h13v3a6.5 6.5 0 0 1-13 0z',
  'M12 17.5V21',
)
export const TokenIcon = draw('M5 5h14v14H5z', 'M9 10l2 2-2 2', 'M13 14h2.5')
export const BudgetIcon = draw('M12 3a9 9 0 1 0 9 9h-9z', 'M15.5 3.7a9 9 0 0 1 4.8 4.8h-4.8z')
export const PriceIcon = draw('M4 12.5V5a1 1 0 0 1 1-1h7.5L20 11.5 12.5 20z', 'M8.5 8.5h.01')
export const AuditIcon = draw('M6 3h9l4 4v14H6z', 'M10 11h5', 'M10 15h5', 'M14 3v5h5')
export const SettingsIcon = draw(
  'M4 7h9',
  'M17 7h3',
  'M15 5v4',
  'M4 17h3',
  'M11 17h9',
  'M9 15v4',
  'M4 12h16',
)
export const SunIcon = draw(
  'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  'M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
)
export const MoonIcon = draw('M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z')
export const SystemIcon = draw('M4 5h16v11H4z', 'M9 20h6', 'M12 16v4')
export const UserIcon = draw('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z', 'M4.5 20a7.5 7.5 0 0 1 15 0')
export const SignOutIcon = draw('M14 4H5v16h9', 'M10 12h10', 'M17 8.5l3.5 3.5-3.5 3.5')
export const CopyIcon = draw('M9 9h11v11H9z', 'M15 9V4H4v11h5')
export const CheckIcon = draw('M5 12.5l4.5 4.5L19 7.5')
export const PlusIcon = draw('M12 5v14', 'M5 12h14')
export const SearchIcon = draw('M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z', 'M15.5 15.5L20 20')
export const CloseIcon = draw('M6 6l12 12', 'M18 6L6 18')
export const UpIcon = draw('M12 19V5', 'M6 11l6-6 6 6')
export const DownIcon = draw('M12 5v14', 'M6 13l6 6 6-6')
export const WarningIcon = draw('M12 4L2.8 19.5h18.4z', 'M12 10v4', 'M12 17h.01')
export const InfoIcon = draw('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z', 'M12 11v5', 'M12 8h.01')
export const ClockIcon = draw('M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z', 'M12 7.5V12l3 2')
export const DownloadIcon = draw('M12 4v11', 'M7 10.5l5 5 5-5', 'M5 20h14')

/** The mark: water that comes over a step, and is counted as it does. */
export function BrandMark({ size = 26 }: IconProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0a7385" />
      <path
        d="M5 11h9c4 0 3 10 7 10h6M5 16h6c3 0 3 9 7 9h9"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  )
}
