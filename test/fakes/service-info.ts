// What a Weir of the tests stands on: two providers, and a data directory that is none.

import type { ServiceInfo } from '../../src/api/service/service-figures.ts'

export const SITE: ServiceInfo = {
  startedAt: Date.parse('2026-03-01T08:00:00.000Z'),
  nodeVersion: '26.0.0',
  providers: [
    { id: 'north', url: 'https://north.example', shape: null, hasCredential: false },
    { id: 'south', url: 'http://127.0.0.1:1', shape: 'openai', hasCredential: true },
  ],
  dataDir: '/somewhere/else/weir-data',
  retentionDays: 400,
  onFull: 'go-on',
  readJournalHealth: () => Promise.resolve({ refusal: null, waiting: 0 }),
  measureData: () =>
    Promise.resolve({ usageBytes: 4096, settingsBytes: 2048, journalBytes: 512, freeBytes: null }),
}
