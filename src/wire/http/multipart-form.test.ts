import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMultipartForm, parseBoundary, PART_HEAD_BYTES_MAX } from './multipart-form.ts'
import type { FormResult, MultipartFormOptions } from './multipart-form.ts'

const BOUNDARY = 'xYz'

/** Cut at the given places, through one buffer that is overwritten after every feed. */
function read(
  text: string,
  cuts: readonly number[],
  options: Partial<MultipartFormOptions> = {},
): FormResult {
  const bytes = Buffer.from(text)
  const scratch = Buffer.alloc(bytes.length)
  const form = createMultipartForm({ boundary: BOUNDARY, isKept: () => true, ...options })
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    const length = bytes.copy(scratch, 0, from, cut)
    form.feed(scratch.subarray(0, length))
    scratch.fill('#')
    from = cut
  }
  return form.end()
}

function readEveryWay(text: string, options: Partial<MultipartFormOptions> = {}): FormResult {
  const whole = read(text, [], options)
  const places = Array.from({ length: Buffer.byteLength(text) }, (_, index) => index)
  assert.deepEqual(read(text, places, options), whole)
  for (const place of places) assert.deepEqual(read(text, [place], options), whole)
  return whole
}

/** Lines joined as a form has them; a part ends before its boundary's line end. */
function lines(...each: string[]): string {
  return each.join('\r\n')
}

const MODEL = 'Content-Disposition: form-data; name="model"'

test('reads fields and files, in every cut', () => {
  const form = lines(
    '--xYz',
    MODEL,
    '',
    'whisper-1',
    '--xYz',
    'Content-Disposition: form-data; name="file"; filename="a b.wav"',
    'Content-Type: audio/wav',
    'Content-Transfer-Encoding: binary',
    '',
    'RIFF\r\n--xY\r\n\r\n',
    '--xYz',
    'content-disposition: FORM-DATA;name=größe',
    'X-Other: anything',
    '',
    '',
    '--xYz--',
    '',
  )
  const result = readEveryWay(form, { isKept: (part) => !part.hasFilename })
  assert.deepEqual(result, {
    kind: 'refused',
    fault: 'a part of its form has no certain name',
  })
  const quoted = readEveryWay(form.replace('name=größe', 'name="größe"'), {
    isKept: (part) => !part.hasFilename,
  })
  assert.deepEqual(quoted, {
    kind: 'whole',
    parts: [
      { name: 'model', hasFilename: false, contentType: null, content: Buffer.from('whisper-1') },
      { name: 'file', hasFilename: true, contentType: 'audio/wav', content: null },
      { name: 'größe', hasFilename: false, contentType: null, content: Buffer.from('') },
    ],
  })
})

const part = (head: string, content = 'x'): string =>
  lines('--xYz', head, '', content, '--xYz--', '')

const ACCEPTED: [name: string, form: string][] = [
  ['no line end behind the end', part(MODEL).slice(0, -2)],
  ['a line end before the first boundary', `\r\n${part(MODEL)}`],
  ['two line ends before it', `\r\n\r\n${part(MODEL)}`],
  ['a line end more behind the end', `${part(MODEL)}\r\n`],
  ['as many line ends as are allowed', `\r\n\r\n\r\n${part(MODEL)}${'\r\n'.repeat(4)}`],
  ['a semicolon behind a name', part(`${MODEL};`)],
  ['no part at all', '--xYz--\r\n'],
  ['a name without quotes', part('Content-Disposition: form-data; name=model')],
  ['a file name in its extended form', part(`${MODEL}; filename*=UTF-8''%e2%82%ac.txt`)],
  ['line feeds in a content', part(MODEL, 'a\nb\n')],
  ['a content that ends in a line end', part(MODEL, 'a\r\n')],
]

for (const [name, form] of ACCEPTED) {
  test(`accepts ${name}`, () => {
    assert.equal(readEveryWay(form).kind, 'whole')
  })
}

const REFUSED: [name: string, form: string, fault: RegExp][] = [
  ['nothing', '', /ends early/],
  ['a form without its end', part(MODEL).replace('--xYz--\r\n', ''), /ends early/],
  ['a form whose end is half there', part(MODEL).slice(0, -3), /ends early/],
  ['text before the first boundary', `preamble\r\n${part(MODEL)}`, /start with its boundary/],
  ['a blank before the first boundary', ` ${part(MODEL)}`, /start with its boundary/],
  ['text behind the end', `${part(MODEL)}epilogue`, /behind its end/],
  ['a second form behind the end', part(MODEL) + part(MODEL), /behind its end/],
  ['half a line end behind the end', part(MODEL).slice(0, -1), /behind its end/],
  ['more line ends before it', `${'\r\n'.repeat(9)}${part(MODEL)}`, /start with its boundary/],
  ['more line ends behind it', `${part(MODEL)}${'\r\n'.repeat(8)}`, /behind its end/],
  ['a line feed before it', `\n${part(MODEL)}`, /start with its boundary/],
  ['half a line end before it', `\r${part(MODEL)}`, /start with its boundary/],
  ['a line feed behind the end', `${part(MODEL)}\n`, /behind its end/],
  ['a form behind a line end', `${part(MODEL)}\r\n${part(MODEL)}`, /behind its end/],
  ['another boundary', part(MODEL).replaceAll('xYz', 'xyz'), /start with its boundary/],
  ['line feeds alone', part(MODEL).replaceAll('\r\n', '\n'), /inside a part/],
  ['a boundary behind a line feed', part(MODEL, 'a\n--xYz\n'), /inside a part/],
  ['a boundary inside a line', part(MODEL, 'a--xYz'), /inside a part/],
  ['a longer boundary', part(MODEL, 'a\r\n--xYz1'), /inside a part/],
  ['blanks behind a boundary', part(MODEL).replace('--xYz\r', '--xYz \r'), /inside a part/],
  ['a part without a content', lines('--xYz', MODEL, '', '--xYz--', ''), /inside a part/],
  ['a part without a head', lines('--xYz', '', 'x', '', '--xYz--', ''), /malformed|ends early/],
  ['a line feed in a head', part(`${MODEL}\nX-A: b`), /malformed head/],
  ['a folded line', part('Content-Disposition: form-data;\r\n name="model"'), /malformed head/],
  ['a line without a colon', part(`${MODEL}\r\nnonsense`), /malformed head/],
  ['a blank before the colon', part(MODEL.replace(':', ' :')), /malformed head/],
  ['two dispositions', part(`${MODEL}\r\n${MODEL}`), /malformed head/],
  ['two types', part(`${MODEL}\r\nContent-Type: a/b\r\ncontent-type: a/b`), /malformed head/],
  ['no disposition', part('Content-Type: text/plain'), /no certain name/],
  ['no name', part('Content-Disposition: form-data'), /no certain name/],
  ['two names', part(`${MODEL}; name="prompt"`), /no certain name/],
  ['two names in other letters', part(`${MODEL}; NAME="prompt"`), /no certain name/],
  ['an extended name', part(`Content-Disposition: form-data; name*=UTF-8''model`), /no certain/],
  ['both forms of a name', part(`${MODEL}; name*=UTF-8''prompt`), /no certain name/],
  ['a name with a backslash', part(MODEL.replace('model', 'mo\\del')), /no certain name/],
  ['a name with a quoted quote', part(MODEL.replace('model', 'mo\\"del')), /no certain name/],
  ['a name whose quote stays open', part(MODEL.slice(0, -1)), /no certain name/],
  ['text behind a name', part(`${MODEL} x`), /no certain name/],
  ['an attachment', part(MODEL.replace('form-data', 'attachment')), /no certain name/],
  ['a form in a form', part(`${MODEL}\r\nContent-Type: multipart/mixed`), /a form again/],
  ['base64', part(`${MODEL}\r\nContent-Transfer-Encoding: base64`), /is encoded/],
]

for (const [name, form, fault] of REFUSED) {
  test(`refuses ${name}`, () => {
    const result = readEveryWay(form)
    assert.match(result.kind === 'refused' ? result.fault : 'whole', fault)
  })
}

test('refuses a head that is not UTF-8', () => {
  const form = createMultipartForm({ boundary: BOUNDARY, isKept: () => true })
  form.feed(Buffer.from(part(MODEL.replace('model', 'mod\xe9l')), 'latin1'))
  assert.equal(form.end().kind, 'refused')
})

test('refuses more parts, a longer head or more content than its limits', () => {
  const field = lines('--xYz', MODEL, '', 'four', '')
  const form = (count: number): string => `${field.repeat(count)}--xYz--`
  assert.equal(read(form(3), [], { partsMax: 3 }).kind, 'whole')
  assert.equal(read(form(4), [], { partsMax: 3 }).kind, 'refused')
  assert.equal(read(form(3), [], { keptBytesMax: 12 }).kind, 'whole')
  assert.equal(read(form(4), [], { keptBytesMax: 12 }).kind, 'refused')
  assert.equal(read(form(4), [], { keptBytesMax: 12, isKept: () => false }).kind, 'whole')
  const padded = (length: number): string => part(`${MODEL}\r\nX-A: `.padEnd(length, 'a'))
  assert.equal(read(padded(PART_HEAD_BYTES_MAX), []).kind, 'whole')
  assert.equal(read(padded(PART_HEAD_BYTES_MAX + 1), []).kind, 'refused')
  assert.equal(read(`--xYz\r\n${'a'.repeat(PART_HEAD_BYTES_MAX + 9)}`, []).kind, 'refused')
})

const BOUNDARIES: [contentType: string, boundary: string | null][] = [
  ['multipart/form-data; boundary=xYz', 'xYz'],
  ['Multipart/Form-Data;BOUNDARY="x Y:z"', 'x Y:z'],
  ['multipart/form-data; charset=utf-8; boundary=xYz', 'xYz'],
  ['multipart/form-data; boundary=xYz;', 'xYz'],
  ['multipart/form-data;; boundary="xYz" ; ', 'xYz'],
  ['multipart/form-data; boundary=xYz;x', null],
  ['multipart/form-data', null],
  ['multipart/form-data; boundary=', null],
  ['multipart/form-data; boundary=""', null],
  ['multipart/form-data; boundary="x "', null],
  ['multipart/form-data; boundary="x\\"y"', null],
  ['multipart/form-data; boundary=x; boundary=y', null],
  ['multipart/form-data; boundary*=x', null],
  ['multipart/form-data; boundary*0=x; boundary*1=y', null],
  ['multipart/form-data; boundary=x y', null],
  ['multipart/form-data, multipart/form-data; boundary=x', null],
  [`multipart/form-data; boundary=${'x'.repeat(70)}`, 'x'.repeat(70)],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, null],
  ['multipart/mixed; boundary=x', null],
  ['application/json; boundary=x', null],
]

for (const [contentType, boundary] of BOUNDARIES) {
  test(`finds ${boundary ?? 'no boundary'} in ${contentType}`, () => {
    assert.equal(parseBoundary(contentType), boundary)
  })
}
