// The model in a path of Bedrock's, which may be a name, or the address (ARN) of something that has
// one. Must stay true: an address which does not name the model is never taken for a model's name.

import { namesIn } from '../../names/model-names.ts'
import type { NamesOptions } from '../../names/model-names.ts'
import type { Operation, RequestView } from '../../provider.ts'
import { createKnownModelReader } from '../body-model.ts'
import { toName } from '../json-leaves.ts'

export interface BedrockModel {
  /** For the record: the name, else the address itself. */
  readonly label: string | null
  /** The model's name; null where it is out of sight. */
  readonly name: string | null
}

const HIDDEN: BedrockModel = { label: null, name: null }
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,255}$/

// Routers, prompts, application profiles, provisioned and own models have addresses too, with an id
// at the end that says nothing of the model behind it.
const TELLING_ARN =
  /^arn:aws[a-z-]*:bedrock:[a-z0-9-]*:[0-9]*:(?:foundation-model|inference-profile)\/([^/]+)$/

/** Of the part behind `/model/` in a path: percent-encoded, and decoded exactly once. */
export function findBedrockModel(path: string): BedrockModel {
  const part = /\/model\/([^/]+)\/[a-z-]+$/.exec(path)?.[1]
  if (part === undefined) return HIDDEN
  try {
    return toBedrockModel(decodeURIComponent(part))
  } catch {
    return HIDDEN
  }
}

export function toBedrockModel(id: string): BedrockModel {
  const name = TELLING_ARN.exec(id)?.[1] ?? id
  return PLAIN_NAME.test(name) && !name.startsWith('arn:')
    ? { label: name, name }
    : { label: toName(id), name: null }
}

/** Which models a call to a path with a model is about. */
export function namedInPath(
  options: Omit<NamesOptions, 'fromHead'> = {},
): Pick<Operation, 'createModelReader' | 'createNamesReader'> {
  return {
    createModelReader: (request) => createKnownModelReader(findBedrockModel(request.path).label),
    createNamesReader: namesIn({ ...options, fromHead: namesInPath }),
  }
}

function namesInPath(request: RequestView): readonly string[] | null {
  const { name } = findBedrockModel(request.path)
  return name === null ? null : [name]
}

/** `/model/{model}/{action}` below a base. */
export function modelPath(base: string, action: string): RegExp {
  return new RegExp(`^${RegExp.escape(base)}/model/[^/]+/${RegExp.escape(action)}$`)
}
