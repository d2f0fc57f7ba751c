// OpenAI's calls that run no model themselves: they store, look up, cancel or start something. A
// key with allowed models can make them, unless they store a model's name that a later run hides.

import { hiddenNames, namesIn } from '../../requested-models/model-names.ts'
import { MODERATORS } from '../../requested-models/name-words.ts'
import type { Operation } from '../../provider.ts'
import { createBodyModelReader } from '../body-model.ts'
import { createFormModelReader } from '../form-model.ts'
import { patternUnder } from '../model-operation.ts'
import type { PathPattern } from '../model-operation.ts'
import { unmeteredOperation, tokenOperation } from '../unmetered-operation.ts'

const ID = '/[^/]+'

interface Hiding {
  readonly name: string
  readonly path: string
  readonly reason: string
  /** What it starts is billed but never reported: unknown, not free. */
  readonly isCharged?: true
  readonly derivesToken?: true
}

const HIDING: readonly Hiding[] = [
  {
    name: 'openai-upload',
    path: `/(?:files|uploads(?:${ID}/parts)?)`,
    reason: 'an uploaded file can name models out of sight',
  },
  { name: 'openai-batch', path: '/batches', reason: 'a batch names its models in a file' },
  {
    name: 'openai-fine-tuning',
    path: '/fine_tuning/(?:jobs|alpha/graders/run)',
    reason: 'a training job can name models out of sight',
    isCharged: true,
  },
  {
    name: 'openai-grader',
    path: '/fine_tuning/alpha/graders/validate',
    reason: 'a grader can name models out of sight',
  },
  {
    name: 'openai-eval',
    path: `/evals(?:${ID})?`,
    reason: 'an evaluation can name models out of sight',
  },
  {
    name: 'openai-eval-run',
    path: `/evals${ID}/runs`,
    reason: 'an evaluation can name models out of sight',
    isCharged: true,
  },
  {
    name: 'openai-assistant',
    path: `/assistants(?:${ID})?`,
    reason: 'an assistant runs its model out of sight',
  },
  {
    name: 'openai-chatkit-session',
    path: '/chatkit/sessions',
    reason: 'a workflow runs its models out of sight',
    derivesToken: true,
  },
]

/** Nothing here runs a model, now or later. */
const STORING: readonly string[] = [
  `/batches${ID}/cancel`,
  `/uploads${ID}/(?:cancel|complete)`,
  `/fine_tuning/(?:jobs${ID}/(?:cancel|pause|resume)|checkpoints${ID}/permissions)`,
  `/evals${ID}/runs${ID}(?:/cancel)?`,
  `/threads(?:/(?!runs$)[^/]+(?:/messages(?:${ID})?|/runs${ID})?)?`,
  `/vector_stores(?:${ID}(?:/files(?:${ID})?|/file_batches(?:${ID}/cancel)?|/search)?)?`,
  `/containers(?:${ID}/files)?`,
  `/conversations(?:${ID}(?:/items)?)?`,
  `/skills(?:${ID}(?:/versions)?)?`,
  `/chat/completions${ID}`,
  `/chatkit/sessions${ID}/cancel`,
  `/audio/(?:voices|voice_consents(?:${ID})?)`,
  '/videos/characters',
  '/traces/ingest',
  `/realtime/calls${ID}/(?:hangup|refer|reject)`,
]

const SESSIONS = [
  '/realtime/(?:translations/)?client_secrets',
  '/realtime/(?:transcription_)?sessions',
  `/realtime/calls${ID}/accept`,
]

/** Of an organization, for credentials that may manage it. */
const ADMIN_KEYS = ['/organization/admin_api_keys', `/organization/projects${ID}/service_accounts`]

/** All calls below the base whose answers report no usage. */
export function openaiObjects(base: PathPattern): readonly Operation[] {
  const at = (paths: readonly string[]): RegExp => patternUnder(base, `(?:${paths.join('|')})`)
  return [
    unmeteredOperation({
      name: 'openai-moderations',
      path: at(['/moderations']),
      createModelReader: createBodyModelReader,
      createNamesReader: namesIn({ unlisted: MODERATORS }),
    }),
    unmeteredOperation({
      name: 'openai-input-tokens',
      path: at(['/responses/input_tokens']),
      createModelReader: createBodyModelReader,
    }),
    unmeteredOperation({ name: 'openai-store', path: at(STORING) }),
    ...HIDING.map(({ path, reason, ...more }) =>
      unmeteredOperation({ ...more, path: at([path]), createNamesReader: hiddenNames(reason) }),
    ),
    unmeteredOperation({
      name: 'openai-realtime-session',
      path: at(SESSIONS),
      derivesToken: true,
      createModelReader: createBodyModelReader,
      createNamesReader: namesIn({ envelopes: ['session'] }),
    }),
    tokenOperation('openai-admin-key', at(ADMIN_KEYS)),
    // What follows bypasses the proxy; only the form names the model, a bare offer does not.
    unmeteredOperation({
      name: 'openai-realtime-call',
      path: at(['/realtime/calls']),
      isCharged: true,
      derivesToken: true,
      createModelReader: createFormModelReader,
      createNamesReader: namesIn({ body: 'form', envelopes: ['session'] }),
    }),
  ]
}
