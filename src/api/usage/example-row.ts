// A row of usage in the descriptions of routes, with the members that only some questions have.

export const toExampleRow = (label: string, value: number) => ({
  label,
  value,
  bucket: null,
  model: null,
  requests: null,
  tokens: null,
})
