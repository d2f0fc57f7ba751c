// The look of the console in one place: one accent, the colour of a river, and four meanings. Must
// stay true: every text colour has a contrast of at least 4.5 to its background, in light and in
// dark.

import { createTheme } from '@mantine/core'
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'

/** Ten shades of a colour, lightest first. White text goes on the eighth; the fifth is on dark. */
function toShades(shades: string): MantineColorsTuple {
  return shades.split(' ') as unknown as MantineColorsTuple
}

const river = toShades(
  '#eaf6f7 #d7edf0 #aedbe1 #7fc8d1 #57b6c2 #2f9fad #168797 #0a7385 #085f6e #064a56',
)
const gray = toShades(
  '#f6f8f9 #eef1f3 #e1e7ea #cfd8dd #b4c0c7 #8b99a2 #66757f #4d5b65 #35424b #1c272e',
)
const dark = toShades(
  '#e4ebee #c3cfd5 #a0afb8 #7b8b95 #35434c #27333b #1d272e #151d23 #10171c #0b1115',
)
const red = toShades(
  '#fdf0ee #fae0dd #f5c3be #f0a29b #ee8a82 #df5d53 #cf4237 #b4302a #962620 #751c18',
)
const green = toShades(
  '#ebf7f0 #d8efe1 #b1dfc5 #86cda5 #62bd8a #3ba36c #258a56 #187245 #125d38 #0d472a',
)
const yellow = toShades(
  '#fdf5e3 #faeac5 #f4d58f #ecbf5b #e2aa37 #c68b16 #a87306 #875c03 #6f4b03 #553902',
)

/** Otherwise the header of a dialog would count as a second header of the page. */
const DIALOG = {
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'presentation' } },
} as const

export const theme = createTheme({
  primaryColor: 'river',
  primaryShade: 7,
  colors: { river, gray, dark, red, green, yellow },
  white: '#ffffff',
  black: '#152027',
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Anchor: { defaultProps: { underline: 'hover' } },
    Modal: { defaultProps: { centered: true, ...DIALOG } },
    Drawer: { defaultProps: { position: 'right', ...DIALOG } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
})

/**
 * A hue each in the same place; the last two are for Other and for what has no value. Each is apart
 * from any other, for colour-blind readers too: theme.test.ts measures it.
 */
const CHART_LIGHT =
  '#0a7385 #e2670b #173aa2 #ba6dd9 #755700 #03a050 #af3f58 #7c52c6 #6c2d05 #553668 #848e94 #272f34'
const CHART_DARK =
  '#57b6c2 #b24728 #6182e1 #e2c9fe #fcbd40 #9ff4bc #fe9081 #aa9bff #c17d45 #904fa9 #616b71 #808a91'

function toChartColors(colors: string): Readonly<Record<`--chart-${number}`, string>> {
  return Object.fromEntries(colors.split(' ').map((color, at) => [`--chart-${at + 1}`, color]))
}

/**
 * What Mantine's own greys would leave too faint, and the surfaces and chart colours of our own.
 */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#54636d',
    '--mantine-color-placeholder': '#66757f',
    '--mantine-color-error': '#b4302a',
    '--mantine-color-success': '#187245',
    '--mantine-color-default-border': '#cfd8dd',
    '--mantine-color-disabled-color': '#66757f',
    '--weir-ground': '#f6f8f9',
    '--weir-surface': '#ffffff',
    '--weir-inset': '#f0f3f5',
    '--weir-line': '#e1e7ea',
    '--weir-shade': '#15202726',
    '--weir-up': '#875c03',
    '--weir-down': '#187245',
    ...toChartColors(CHART_LIGHT),
  },
  dark: {
    '--mantine-color-text': '#e4ebee',
    '--mantine-color-river-light': '#15323a',
    '--mantine-color-river-light-hover': '#1a3d47',
    '--mantine-color-red-light': '#3a2120',
    '--mantine-color-red-light-hover': '#482826',
    '--mantine-color-green-light': '#182f24',
    '--mantine-color-green-light-hover': '#1d3a2c',
    '--mantine-color-yellow-light': '#342a14',
    '--mantine-color-yellow-light-hover': '#403418',
    '--mantine-color-gray-light': '#27333b',
    '--mantine-color-gray-light-hover': '#303d46',
    '--mantine-color-body': '#10171c',
    '--mantine-color-dimmed': '#a0afb8',
    '--mantine-color-placeholder': '#8b9aa4',
    '--mantine-color-error': '#f0a29b',
    '--mantine-color-success': '#86cda5',
    '--mantine-color-disabled-color': '#8b9aa4',
    '--weir-ground': '#10171c',
    '--weir-surface': '#171f25',
    '--weir-inset': '#11181d',
    '--weir-line': '#27333b',
    '--weir-shade': '#00000080',
    '--weir-up': '#e2aa37',
    '--weir-down': '#86cda5',
    ...toChartColors(CHART_DARK),
  },
})
