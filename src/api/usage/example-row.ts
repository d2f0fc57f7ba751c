// A row of usage in the descriptions of routes, with the members that only some questions have.

export const toExampleRow = (label: string, value: number) => ({
  label,
  value,
  bucket: null,
  model: null,
  requests: null,
  tokens: null,
})

export const EXAMPLE_REPRICED = {
  month: '2026-03',
  at: '2026-03-10T08:30:00.000Z',
  calls: 420,
  before_usd: 1271.25,
  after_usd: 1284.503,
}
