// Which database a URL is of. It needs nothing: every process reads places of stores.

export function isClickhouseUrl(text: string): boolean {
  return /^clickhouse:\/\//i.test(text)
}
