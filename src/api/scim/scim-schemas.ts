// What Weir says of its own SCIM (RFC 7643, sections 5 to 7; RFC 7644, section 4).

import { BODY_BYTES_MAX, PAGE_ROWS_MAX } from './scim-limits.ts'
import type { Json } from './scim-attributes.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable'
  readonly uniqueness?: 'none' | 'server'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Json[]
}

function attribute(name: string, description: string, options: AttributeOptions = {}): Json {
  return {
    name,
    description,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...options,
  }
}

const USER_ATTRIBUTES = [
  attribute('userName', 'What the directory calls the user; an address where emails has none.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('displayName', 'The name for people.', { required: true }),
  attribute('name', 'The same.', {
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [attribute('formatted', 'The name for people.', { mutability: 'readOnly' })],
  }),
  attribute('emails', 'The one address; of several, the primary one is kept.', {
    type: 'complex',
    multiValued: true,
    required: true,
    subAttributes: [
      attribute('value', 'An address.', { required: true }),
      attribute('type', 'Always work.', { canonicalValues: ['work'] }),
    ],
  }),
  attribute('active', 'False: signed out everywhere, and personal keys are paused.', {
    type: 'boolean',
    required: true,
  }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'By this, and by externalId, rules name it.', { required: true }),
  attribute('members', 'Users.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of a user.', { mutability: 'immutable', caseExact: true }),
      attribute('$ref', 'The address of the user.', {
        type: 'reference',
        mutability: 'immutable',
        caseExact: true,
        referenceTypes: ['User'],
      }),
      attribute('type', 'Always User.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
]

interface Discovery {
  readonly config: Json
  readonly types: readonly Json[]
  readonly schemas: readonly Json[]
}

/** `base`: the address of `/scim/v2`. */
export function describeScim(base: string): Discovery {
  const meta = (resourceType: string, path: string) => ({
    meta: { resourceType, location: `${base}${path}` },
  })
  const toType = (name: string, schema: string): Json => ({
    schemas: [RESOURCE_TYPE],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    description: `Weir's ${name.toLowerCase()}s`,
    ...meta('ResourceType', `/ResourceTypes/${name}`),
  })
  const toSchema = (name: string, id: string, attributes: readonly Json[]): Json => ({
    schemas: [SCHEMA],
    id,
    name,
    description: name,
    attributes,
    ...meta('Schema', `/Schemas/${id}`),
  })
  return {
    config: {
      schemas: [CONFIG],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: BODY_BYTES_MAX },
      filter: { supported: true, maxResults: PAGE_ROWS_MAX },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Access token',
          description: 'An access token of Weir with scope scim, as a bearer token.',
          primary: true,
        },
      ],
      ...meta('ServiceProviderConfig', '/ServiceProviderConfig'),
    },
    types: [toType('User', USER_SCHEMA), toType('Group', GROUP_SCHEMA)],
    schemas: [
      toSchema('User', USER_SCHEMA, USER_ATTRIBUTES),
      toSchema('Group', GROUP_SCHEMA, GROUP_ATTRIBUTES),
    ],
  }
}
