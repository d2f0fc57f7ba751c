// Requests whose head is malformed or can be read in two ways. Each has a good key, so that only
// its framing or its target can be what is refused. `{key}` stands for the key.

export interface MalformedRequest {
  readonly name: string
  readonly text: string
  /** 400 and `bad_request` where nothing is said. */
  readonly status?: number
  readonly code?: string
}

const KEY = 'X-SVC-API-Key: {key}'
const TARGET = '/v1/some/x'
const POST = `POST ${TARGET} HTTP/1.1`
const CL = 'Content-Length: 5'
const TE = 'Transfer-Encoding: chunked'
/** A body that is five bytes long, or chunked and empty with something behind it. */
const AMBIGUOUS = '0\r\n\r\nGET /v1/some/smuggled HTTP/1.1\r\nX: y'

function request(name: string, lines: readonly string[], body = ''): MalformedRequest {
  return { name, text: `${lines.join('\r\n')}\r\n\r\n${body}` }
}

/** A POST with these lines beside Host and key. */
function withLines(name: string, ...lines: readonly string[]): MalformedRequest {
  return request(name, [POST, 'Host: p', KEY, ...lines], AMBIGUOUS)
}

function withLine(name: string, requestLine: string): MalformedRequest {
  return request(name, [requestLine, 'Host: p', KEY])
}

function withMethod(name: string, requestLine: string): MalformedRequest {
  return { ...withLine(name, requestLine), status: 405, code: 'method_not_allowed' }
}

function withTarget(name: string, target: string): MalformedRequest {
  return withLine(name, `GET ${target} HTTP/1.1`)
}

const FRAMING: readonly MalformedRequest[] = [
  withLines('length, then coding (CL.TE)', CL, TE),
  withLines('coding, then length (TE.CL)', TE, CL),
  withLines('a length of nothing and a coding', 'Content-Length: 0', TE),
  withLines('two codings (TE.TE)', TE, TE),
  withLines('a coding and an unknown one', TE, 'Transfer-Encoding: x'),
  withLines('an unknown coding and chunked', 'Transfer-Encoding: identity', TE),
  withLines('two equal lengths', CL, CL),
  withLines('two different lengths', CL, 'content-length: 6'),
  withLines('a list of equal lengths', 'Content-Length: 5, 5'),
  withLines('a list of different lengths', 'Content-Length: 5,6'),
  withLines('a length with a plus', 'Content-Length: +5'),
  withLines('a negative length', 'Content-Length: -5'),
  withLines('a hexadecimal length', 'Content-Length: 0x5'),
  withLines('a length with a fraction', 'Content-Length: 5.0'),
  withLines('a length with a blank within', 'Content-Length: 5 0'),
  withLines('a length with letters', 'Content-Length: 5a'),
  withLines('a length in quotes', 'Content-Length: "5"'),
  withLines('an empty length', 'Content-Length:'),
  withLines('a length beyond 2^53', 'Content-Length: 9999999999999999'),
  withLines('a length beyond 2^64', 'Content-Length: 18446744073709551621'),
  withLines('a length in digits of another script', 'Content-Length: \xd9\xa5'),
  withLines('a length behind a vertical tab', 'Content-Length: \x0b5'),
  withLines('chunked twice in one line', 'Transfer-Encoding: chunked, chunked'),
  withLines('another coding in front', 'Transfer-Encoding: gzip, chunked'),
  withLines('another coding behind', 'Transfer-Encoding: chunked, gzip'),
  withLines('a coding almost chunked', 'Transfer-Encoding: xchunked'),
  withLines('a coding with a parameter', 'Transfer-Encoding: chunked;q=1'),
  withLines('a coding in quotes', 'Transfer-Encoding: "chunked"'),
  withLines('identity', 'Transfer-Encoding: identity'),
  withLines('an empty coding', 'Transfer-Encoding:'),
  withLines('a list with an empty place', 'Transfer-Encoding: ,chunked'),
  withLines('a coding behind a vertical tab', 'Transfer-Encoding: \x0bchunked'),
  withLines('a coding with a non-breaking space', 'Transfer-Encoding: chunked\xa0'),
  withLines('a blank behind the name of the coding', 'Transfer-Encoding : chunked', CL),
  withLines('a tab behind the name of the coding', 'Transfer-Encoding\t: chunked', CL),
  withLines('a blank in front of the coding', CL, ' Transfer-Encoding: chunked'),
  withLines('a tab in front of the length', '\tContent-Length: 5'),
  withLines('a folded coding', 'Transfer-Encoding:\r\n chunked'),
  withLines('a coding hidden behind a bare CR', `X: a\r${TE}`, CL),
  withLines('a coding hidden behind a bare LF', `X: a\n${TE}`, CL),
  withLines('a coding hidden behind a NUL', `X: a\0${TE}`, CL),
  withLines('Connection naming the length', CL, 'Connection: keep-alive, Content-Length'),
  withLines('Connection naming the coding', TE, 'Connection: transfer-encoding'),
  withLines('Connection naming Host', CL, 'Connection: host'),
  request('a coding in HTTP/1.0', [`POST ${TARGET} HTTP/1.0`, KEY, TE], AMBIGUOUS),
]

const LINES: readonly MalformedRequest[] = [
  withLines('a folded header', 'X: a', ' b'),
  withLines('a header folded by a tab', 'X: a', '\tb'),
  withLines('a header without a colon', 'X'),
  withLines('a header without a name', ': a'),
  withLines('a blank before the colon', 'X : a'),
  withLines('a name with a blank', 'X Y: a'),
  withLines('a name with a bracket', 'X(y): a'),
  withLines('a name beyond ASCII', 'X\xe9: a'),
  withLines('a NUL in a value', 'X: a\0b'),
  withLines('a NUL in a name', 'X\0: a'),
  withLines('a CR in a value', 'X: a\rb'),
  withLines('a CR before the line end', 'X: a\r'),
  withLines('an escape character in a value', 'X: \x1b[31m'),
  withLines('a DEL in a value', 'X: \x7f'),
  withLines('two Hosts', 'Host: q'),
  request('no Host', [POST, KEY]),
  request('a folded first header', [POST, ' Host: p', KEY]),
  { name: 'LF as every line end', text: `POST ${TARGET} HTTP/1.1\nHost: p\n${KEY}\n\n` },
  { name: 'LF behind the request line', text: `${POST}\nHost: p\r\n${KEY}\r\n\r\n` },
  { name: 'LF behind one header', text: `${POST}\r\nHost: p\n${KEY}\r\n\r\n` },
  { name: 'LF in place of the blank line', text: `${POST}\r\nHost: p\r\n${KEY}\r\n\n` },
  { name: 'CR as every line end', text: `${POST}\rHost: p\r${KEY}\r\r\r\n\r\n` },
  {
    ...withLines('129 headers', ...Array.from({ length: 127 }, (_, at) => `X-${at}: 1`)),
    status: 431,
    code: 'headers_too_large',
  },
]

const REQUEST_LINES: readonly MalformedRequest[] = [
  withLine('HTTP/0.9', `GET ${TARGET} HTTP/0.9`),
  withLine('HTTP/1.2', `GET ${TARGET} HTTP/1.2`),
  withLine('HTTP/2.0', `GET ${TARGET} HTTP/2.0`),
  withLine('HTTP/1.10', `GET ${TARGET} HTTP/1.10`),
  withLine('HTTP/1', `GET ${TARGET} HTTP/1`),
  withLine('a version in lower case', `GET ${TARGET} http/1.1`),
  withLine('another protocol', `GET ${TARGET} ICY/1.1`),
  withLine('no version', `GET ${TARGET}`),
  withLine('no target', 'GET HTTP/1.1'),
  withLine('an empty target', 'GET  HTTP/1.1'),
  withLine('two blanks behind the method', `GET  ${TARGET} HTTP/1.1`),
  withLine('a blank behind the version', `GET ${TARGET} HTTP/1.1 `),
  withLine('a blank before the method', ` GET ${TARGET} HTTP/1.1`),
  withLine('a tab in the request line', `GET\t${TARGET}\tHTTP/1.1`),
  withLine('a method that is no token', `GE(T ${TARGET} HTTP/1.1`),
  withLine('a method beyond ASCII', `G\xc9T ${TARGET} HTTP/1.1`),
  withLine('a method without end', `${'G'.repeat(33)} ${TARGET} HTTP/1.1`),
  withLine('nothing but nonsense', '\x16\x03\x01\x02'),
  {
    name: 'five blank lines in front',
    text: `${'\r\n'.repeat(5)}${POST}\r\nHost: p\r\n${KEY}\r\n\r\n`,
  },
  { name: 'LF in front', text: `\n${POST}\r\nHost: p\r\n${KEY}\r\n\r\n` },
  { name: 'CR in front', text: `\r${POST}\r\nHost: p\r\n${KEY}\r\n\r\n` },
  { name: 'a blank line and LF in front', text: `\r\n\n${POST}\r\nHost: p\r\n${KEY}\r\n\r\n` },
  { name: 'the opening of HTTP/2', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
]

const TARGETS: readonly MalformedRequest[] = [
  withTarget('an absolute target at another host', 'http://other.example/v1/some/x'),
  withTarget('an absolute target at another port', 'http://p:1/v1/some/x'),
  withTarget('an absolute target with a user', 'http://p@p/v1/some/x'),
  withTarget('an absolute target whose host goes on', 'http://p.example/v1/some/x'),
  withTarget('an absolute target without a host', 'http:///v1/some/x'),
  withTarget('an absolute target without a path', 'http://p'),
  withTarget('an absolute target with a query and no path', 'http://p?/v1/some/x'),
  withTarget('an absolute target of another scheme', 'ftp://p/v1/some/x'),
  withTarget('an absolute target with a dot segment', 'http://p/v1/some/../x'),
  request('an absolute target and a Host that hides a path', [
    'GET http://p/v1/some/x HTTP/1.1',
    'Host: p/v1/some/x',
    KEY,
  ]),
  request('an absolute target and two Hosts', [
    'GET http://p/v1/some/x HTTP/1.1',
    'Host: p',
    'Host: q',
    KEY,
  ]),
  request('an absolute target in HTTP/1.0 without a Host', [
    'GET http://p/v1/some/x HTTP/1.0',
    KEY,
  ]),
  withTarget('a target without a slash', 'v1/some/x'),
  withTarget('an asterisk for GET', '*'),
  withLine('an asterisk for OPTIONS', 'OPTIONS * HTTP/1.1'),
  withMethod('CONNECT to an authority', 'CONNECT other.example:443 HTTP/1.1'),
  // CONNECT takes an authority only (RFC 9112 §3.2.3), and what follows its answer is a tunnel to
  // some.
  withMethod('CONNECT to a path', `CONNECT ${TARGET} HTTP/1.1`),
  // The answer would have the headers that were sent, and so the credential among them.
  withMethod('TRACE', `TRACE ${TARGET} HTTP/1.1`),
  withMethod('TRACE in small letters', `trace ${TARGET} HTTP/1.0`),
  withMethod('TRACK', `TRACK ${TARGET} HTTP/1.1`),
  withTarget('a blank in the target', '/v1/some/a b'),
  withTarget('a tab in the target', '/v1/some/a\tb'),
  withTarget('a NUL in the target', '/v1/some/a\0b'),
  withTarget('a byte beyond ASCII in the target', '/v1/some/\xe9'),
  withTarget('a fragment', '/v1/some/x#y'),
  withTarget('a fragment behind the query', '/v1/some/x?y#z'),
  withTarget('a dot segment', '/v1/some/a/./b'),
  withTarget('two dots', '/v1/some/../other'),
  withTarget('two dots at the end', '/v1/some/a/..'),
  withTarget('two dots in front of the provider', '/v1/../v1/some/x'),
  withTarget('two dots behind an empty segment', '/v1/some//../x'),
  withTarget('encoded dots', '/v1/some/%2e%2E/x'),
  withTarget('one dot of two encoded', '/v1/some/.%2e/x'),
  withTarget('the other dot encoded', '/v1/some/%2E./x'),
  withTarget('one encoded dot', '/v1/some/%2e'),
  withTarget('two dots in front of a query', '/v1/some/..?x'),
  withTarget('a backslash', '/v1/some/..\\x'),
]

export const MALFORMED_REQUESTS: readonly MalformedRequest[] = [
  ...FRAMING,
  ...LINES,
  ...REQUEST_LINES,
  ...TARGETS,
]
