import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestView } from '../provider.ts'
import { PART_BYTES_MAX } from './form-fields.ts'
import { createFormModelReader } from './form-model.ts'
import { NAME_CHARS_MAX } from './json-leaves.ts'

function toRequest(contentType: string | null): RequestView {
  const header = (name: string): string | null => (name === 'content-type' ? contentType : null)
  return { method: 'POST', path: '/', query: '', header, headers: () => [] }
}

const FORM = 'multipart/form-data; boundary=reed'

function part(disposition: string, value: string): string {
  return `--reed\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
}

const MODEL = part('name="model"', 'm')
const FILE = part('name="file"; filename="model"', 'x\r\n--ree\r\n-reed\r\nname="model"\r\n\r\nno')
const END = '--reed--\r\n'
const LONGEST = 'm'.repeat(NAME_CHARS_MAX)

const FORMS: { name: string; type?: string | null; body: string; model: string | null }[] = [
  { name: 'the field in front', body: MODEL + FILE + END, model: 'm' },
  { name: 'the field behind a file', body: FILE + MODEL + END, model: 'm' },
  { name: 'the first of two', body: MODEL + part('name="model"', 'n') + END, model: 'm' },
  { name: 'a name without quotes', body: part('name=model', 'm') + END, model: 'm' },
  { name: 'a preamble', body: `hello\r\n${MODEL}${END}`, model: 'm' },
  {
    name: 'other lines in the head of the part',
    body: `--reed\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name="model"\r\n\r\nm\r\n${END}`,
    model: 'm',
  },
  {
    name: 'a boundary in quotes',
    type: 'Multipart/Form-Data; charset=utf-8; boundary="reed"',
    body: MODEL + END,
    model: 'm',
  },
  { name: 'no such field', body: FILE + END, model: null },
  { name: 'an empty field', body: part('name="model"', '') + END, model: null },
  { name: 'the longest name', body: part('name="model"', LONGEST) + END, model: LONGEST },
  { name: 'a name that is too long', body: part('name="model"', `${LONGEST}m`) + END, model: null },
  {
    name: 'a value without end',
    body: part('name="model"', 'm'.repeat(2 * PART_BYTES_MAX)),
    model: null,
  },
  {
    name: 'a head without end, and the field behind it',
    body: `--reed\r\n${'x'.repeat(2 * PART_BYTES_MAX)}\r\n${MODEL}${END}`,
    model: 'm',
  },
  { name: 'a form that breaks off', body: part('name="model"', 'm').slice(0, -2), model: null },
  { name: 'a form without boundary', type: 'multipart/form-data', body: MODEL, model: null },
  { name: 'JSON', type: 'application/json', body: '{"model":"m"}', model: 'm' },
  { name: 'JSON without a type', type: null, body: '{"model":"m"}', model: 'm' },
  { name: 'nothing', body: '', model: null },
]

for (const { name, type = FORM, body, model } of FORMS) {
  test(`reads of a form: ${name}`, () => {
    const bytes = Buffer.from(body)
    for (const length of [bytes.length, 1, 7]) {
      const reader = createFormModelReader(toRequest(type))
      const memory = Buffer.alloc(Math.max(length, 1))
      for (let at = 0; at < bytes.length; at += length) {
        const piece = bytes.subarray(at, at + length)
        piece.copy(memory)
        if (reader.feed(memory.subarray(0, piece.length))) break
        memory.fill('"')
      }
      assert.equal(reader.end(), model, `in pieces of ${length}`)
    }
  })
}

test('wants no more bytes of a form once the model is known', () => {
  const reader = createFormModelReader(toRequest(FORM))
  assert.equal(reader.feed(Buffer.from(FILE)), false)
  assert.equal(reader.feed(Buffer.from(MODEL + END)), true)
})
