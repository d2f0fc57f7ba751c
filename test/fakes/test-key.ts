// A key without any restriction, as the settings would have it.

import type { ApiKey } from '../../src/core/api-key.ts'
import { hashSecret } from '../../src/core/ids.ts'
import type { Credential } from '../../src/core/ids.ts'

export function createTestKey({ id, secret }: Credential, changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id,
    name: 'test',
    teamId: null,
    personId: null,
    owner: null,
    note: null,
    costCenter: null,
    secretHash: hashSecret(secret),
    oldSecret: null,
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    pausedAt: null,
    allowedModels: [],
    allowedProviders: [],
    useCredentials: [],
    allowDerivedTokens: false,
    defaultDims: {},
    lockedDims: {},
    requiredDims: [],
    rateLimitRpm: null,
    maxParallel: null,
    version: 0,
    ...changes,
  }
}
