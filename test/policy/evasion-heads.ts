// Requests that name a model which the key may not use outside of JSON: in the path, the query, the
// headers, the fields of a form.

import { gzipSync } from 'node:zlib'

import {
  chat,
  FORM_TYPE,
  MESSAGES,
  post,
  postForm,
  toForm,
  toJson,
  toRequest,
  upgrade,
} from './attempt.ts'
import type { Evasion } from './attempt.ts'

const NATIVE = '/gateway/v4/ai/language-model'
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hello' }] }]
const BATCH = { inputConfig: { requests: { requests: [{ request: { contents: CONTENTS } }] } } }
const TRANSCRIPTIONS = '/openai/v1/audio/transcriptions'
const SOUND = ['name="file"; filename="a.mp3"', 'sound'] as const

const HEADS: readonly (readonly [string, string])[] = [
  ["in the AI SDK's header", post(NATIVE, { prompt: [] }, 'ai-language-model-id: acme/bad')],
  [
    "in the AI SDK's other header",
    post('/gateway/v3/ai/embedding-model', { values: ['x'] }, 'ai-model-id: acme/bad'),
  ],
  [
    'in a second header of the same name',
    post(
      NATIVE,
      { prompt: [] },
      'ai-language-model-id: acme/good',
      'AI-Language-Model-Id: acme/bad',
    ),
  ],
  [
    'in the other of the two headers',
    post(NATIVE, { prompt: [] }, 'ai-language-model-id: acme/good', 'ai-model-id: acme/bad'),
  ],
  [
    'in a list in the header',
    post(NATIVE, { prompt: [] }, 'ai-language-model-id: acme/good,acme/bad'),
  ],
  ['in no header where there should be one', post(NATIVE, { prompt: [] })],
  [
    'in the body behind an allowed header',
    post(
      NATIVE,
      { prompt: [], providerOptions: { gateway: { models: ['acme/bad'] } } },
      'ai-language-model-id: acme/good',
    ),
  ],
  [
    'behind a header that is taken off on the way',
    post(
      NATIVE,
      { prompt: [] },
      'ai-language-model-id: acme/good',
      'Connection: ai-language-model-id',
    ),
  ],
  [
    'as the deployment that draws',
    post(
      '/azure/openai/v1/responses',
      { model: 'good', input: 'x' },
      'x-ms-oai-image-generation-deployment: bad',
    ),
  ],
  ['in the path', post('/google/v1beta/models/bad:generateContent', { contents: CONTENTS })],
  ['in the path of a stream', post('/google/v1/models/bad:streamGenerateContent?alt=sse', {})],
  [
    'in an escaped path',
    post('/google/v1beta/models/b%61d:generateContent', { contents: CONTENTS }),
  ],
  ['in a path escaped twice', post('/google/v1beta/models/goo%2564:generateContent', {})],
  ['as a model of their own', post('/google/v1beta/tunedModels/good:generateContent', {})],
  [
    'in the body beside the path',
    post('/google/v1beta/models/good:generateContent', { model: 'models/bad', contents: CONTENTS }),
  ],
  [
    'in a project',
    post('/vertex/v1/projects/p/locations/l/publishers/google/models/bad:generateContent', {
      contents: CONTENTS,
    }),
  ],
  [
    'behind an endpoint',
    post('/vertex/v1/projects/p/locations/l/endpoints/123:generateContent', { contents: CONTENTS }),
  ],
  [
    'as a deployment',
    post('/azure/openai/deployments/bad/chat/completions?api-version=1', { messages: MESSAGES }),
  ],
  [
    'in the body beside a deployment, on a call whose body decides',
    post('/azure/openai/deployments/good/responses', { model: 'bad', input: 'x' }),
  ],
  [
    'in the body without a deployment',
    post('/azure/openai/v1/chat/completions', { model: 'bad', messages: MESSAGES }),
  ],
  [
    'in a tool beside a deployment',
    post('/azure/openai/deployments/good/chat/completions', {
      model: 'good',
      messages: MESSAGES,
      tools: [{ type: 'image_generation', model: 'bad' }],
    }),
  ],
  [
    'in the path of a batch of Gemini',
    post('/google/v1beta/models/bad:batchGenerateContent', { batch: BATCH }),
  ],
  [
    'in a batch of Gemini',
    post('/google/v1beta/models/good:batchGenerateContent', {
      batch: { ...BATCH, model: 'models/bad' },
    }),
  ],
  [
    'in a request of a batch of Gemini',
    post('/google/v1beta/models/good:batchGenerateContent', {
      batch: {
        inputConfig: {
          requests: { requests: [{ request: { model: 'models/bad', contents: CONTENTS } }] },
        },
      },
    }),
  ],
  [
    'in the file of a batch of Gemini',
    post('/google/v1beta/models/good:batchGenerateContent', {
      batch: { input_config: { file_name: 'files/abc' } },
    }),
  ],
  ['in the path of Bedrock', post('/bedrock/model/acme.bad-v1:0/converse', { messages: [] })],
  ['in an escaped path of Bedrock', post('/bedrock/model/acme.bad-v1%3A0/invoke', {})],
  [
    'behind the address of a profile',
    post(
      '/bedrock/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aapplication-inference-profile%2Fabc/converse',
      { messages: [] },
    ),
  ],
  [
    'behind a router of prompts',
    post(
      '/bedrock/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Adefault-prompt-router%2Facme/converse',
      { messages: [] },
    ),
  ],
  [
    'in the query',
    chat({ model: 'good' }).replace('completions HTTP', 'completions?model=bad HTTP'),
  ],
  [
    'twice in the query',
    chat({ model: 'good' }).replace('completions HTTP', 'completions?model=good&model=bad HTTP'),
  ],
  [
    'in the query in other letters',
    chat({ model: 'good' }).replace('completions HTTP', 'completions?Model=bad HTTP'),
  ],
  ['in the query of a WebSocket', upgrade('/openai/v1/realtime?model=bad')],
  ['in no query of a WebSocket', upgrade('/openai/v1/models')],
  ['behind a semicolon in the query of a WebSocket', upgrade('/openai/v1/realtime?a=1;model=bad')],
  ['in a list in the query of a WebSocket', upgrade('/openai/v1/realtime?model[]=bad')],
  ['in the query of a session', upgrade('/gateway/v4/ai/realtime-model?ai-model-id=acme/bad')],
  [
    'in the query alone, where an image is made by default',
    post('/openai/v1/images/generations?model=good', { prompt: 'x' }),
  ],
  [
    'in a header alone, where an image is made by default',
    post('/openai/v1/images/generations', { prompt: 'x' }, 'ai-model-id: good'),
  ],
  ['at one of the paths at the top', post('/realtime/client-secrets', { model: 'acme/bad' })],
]

const FORMS: readonly (readonly [string, string])[] = [
  ['in a form', postForm(TRANSCRIPTIONS, [['name="model"', 'bad'], SOUND])],
  [
    'in a form twice',
    postForm(TRANSCRIPTIONS, [['name="model"', 'good'], SOUND, ['name="model"', 'bad']]),
  ],
  [
    'in a form without quotes',
    postForm(TRANSCRIPTIONS, [
      ['name="model"', 'good'],
      ['name=model', 'bad'],
    ]),
  ],
  [
    'in a form in other letters',
    postForm(TRANSCRIPTIONS, [
      ['name="model"', 'good'],
      ['name="Model"', 'bad'],
    ]),
  ],
  [
    'in a form by an escape',
    postForm(TRANSCRIPTIONS, [
      ['name="model"', 'good'],
      ['name="mod\\el"', 'bad'],
    ]),
  ],
  [
    'in a form by an encoded name',
    postForm(TRANSCRIPTIONS, [
      ['name="model"', 'good'],
      ["name*=utf-8''model", 'bad'],
    ]),
  ],
  [
    'in a form as a file',
    postForm(TRANSCRIPTIONS, [['name="model"; filename="m"', 'good'], SOUND]),
  ],
  ['in no field of a form', postForm(TRANSCRIPTIONS, [SOUND])],
  [
    'in a form without an end',
    toRequest({
      path: TRANSCRIPTIONS,
      headers: [FORM_TYPE],
      body: toForm([['name="model"', 'good']]).slice(0, -8),
    }),
  ],
  [
    'in a form behind its end',
    toRequest({
      path: TRANSCRIPTIONS,
      headers: [FORM_TYPE],
      body: toForm([['name="model"', 'good']]) + toForm([['name="model"', 'bad']]),
    }),
  ],
  [
    'in a form behind many lines',
    toRequest({
      path: TRANSCRIPTIONS,
      headers: [FORM_TYPE],
      body: '\r\n'.repeat(9) + toForm([['name="model"', 'good'], SOUND]),
    }),
  ],
  [
    'in a form behind a line and its end',
    toRequest({
      path: TRANSCRIPTIONS,
      headers: [FORM_TYPE],
      body: `${toForm([['name="model"', 'good']])}\r\n${toForm([['name="model"', 'bad']])}`,
    }),
  ],
  [
    'in a form with two boundaries',
    toRequest({
      path: TRANSCRIPTIONS,
      headers: [`${FORM_TYPE}; boundary=other`],
      body: toForm([['name="model"', 'good']]),
    }),
  ],
  [
    'in a form of bare line feeds',
    toRequest({
      path: TRANSCRIPTIONS,
      headers: [FORM_TYPE],
      body: toForm([['name="model"', 'good']]).replaceAll('\r\n', '\n'),
    }),
  ],
  [
    'in JSON in a form',
    postForm('/openai/v1/realtime/calls', [
      ['name="sdp"', 'v=0'],
      ['name="session"', toJson({ model: 'bad' })],
    ]),
  ],
  [
    'in a form by a word of its own',
    postForm(TRANSCRIPTIONS, [
      ['name="model"', 'good'],
      ['name="diarization_model"', 'bad'],
      SOUND,
    ]),
  ],
  [
    'in no field of a form but one that this call does not know',
    postForm('/openai/v1/images/edits', [
      ['name="deployment"', 'good'],
      ['name="prompt"', 'x'],
    ]),
  ],
  [
    'in a form that a server reads which does not undo codings',
    toRequest({
      path: TRANSCRIPTIONS,
      headers: [FORM_TYPE, 'Content-Encoding: gzip'],
      body: gzipBehind(`\r\n${toForm([['name="model"', 'bad'], SOUND])}`),
    }),
  ],
  [
    'in the form of an image',
    postForm('/openai/v1/images/edits', [
      ['name="model"', 'bad'],
      ['name="prompt"', 'x'],
    ]),
  ],
]

/**
 * A form with an allowed model in gzip, whose header has room for bytes of any kind (RFC 1952
 * §2.3.1.1).
 */
function gzipBehind(extra: string): string {
  const whole = gzipSync(toForm([['name="model"', 'good'], SOUND])).toString('latin1')
  const length = String.fromCharCode(extra.length & 0xff, extra.length >> 8)
  return `${whole.slice(0, 3)}\x04${whole.slice(4, 10)}${length}${extra}${whole.slice(10)}`
}

export const HEAD_EVASIONS: readonly Evasion[] = [...HEADS, ...FORMS].map(([name, request]) => ({
  name: `a model that is named ${name}`,
  request,
}))
