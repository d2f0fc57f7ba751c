// Schemas of the OpenAPI document in words.

import { html } from './html.ts'
import type { Html } from './html.ts'
import type { Schema } from './openapi-document.ts'

/** `integer, 1 to 24`, `UsageRow[]`, `string or null`. */
export function describeType(schema: Schema): string {
  const { $ref, items, type, format, minimum, maximum, minLength, maxLength } = schema
  if ($ref !== undefined) return schemaName($ref)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(describeType).join(' or ')
  if (items !== undefined) return describeItems(items)
  const words = [[type ?? 'any'].flat().join(' or ')]
  if (format !== undefined) words.push(format)
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    words.push(`${minimum} to ${maximum}`)
  }
  if (minLength !== undefined && maxLength !== undefined) {
    words.push(`${minLength} to ${maxLength} characters`)
  }
  return words.join(', ')
}

function describeItems(items: Schema): string {
  const item = describeType(items)
  return item.includes(' ') ? `array of ${item}` : `${item}[]`
}

/** `UsageRow` of `#/components/schemas/UsageRow`. */
function schemaName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

export function renderAllowed(schema: Schema): readonly Html[] {
  // Of a list, what is allowed is said of its items.
  const { enum: values, pattern, default: preset } = schema.items ?? schema
  const lines: Html[] = []
  if (values !== undefined) {
    const chips = values.map((value) => html`<code>${String(value)}</code> `)
    lines.push(html`<p class="values">${chips}</p>`)
  }
  if (pattern !== undefined) {
    lines.push(html`<p class="soft">Form: <code>${pattern}</code></p>`)
  }
  if (preset !== undefined) {
    lines.push(html`<p class="soft">Left out: <code>${JSON.stringify(preset)}</code></p>`)
  }
  return lines
}

/** Inherited members are in `allOf`. */
export function renderMembers(schema: Schema): Html {
  const parents = (schema.allOf ?? []).flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref]))
  const own = [schema, ...(schema.allOf ?? [])].flatMap((part) =>
    Object.entries(part.properties ?? {}),
  )
  return html`${parents.map((reference) => renderParent(schemaName(reference)))}
    <dl>${own.map(([name, member]) => renderMember(name, member))}</dl>`
}

function renderParent(name: string): Html {
  return html`<p>All of <a href="#schema-${name}">${name}</a>, and:</p>`
}

function renderMember(name: string, member: Schema): Html {
  return html`<dt><code>${name}</code> <span>${renderType(member)}</span></dt>
    <dd>${member.description ?? ''}${renderAllowed(member)}</dd>`
}

export function renderType(schema: Schema): Html {
  const target = schema.$ref ?? schema.items?.$ref
  const type = describeType(schema)
  if (target === undefined) return html`${type}`
  return html`<a href="#schema-${schemaName(target)}">${type}</a>`
}
