// The model in a Bedrock path. Must stay true: an ARN that does not name the model is not its name.

import { namesIn } from '../../requested-models/model-names.ts'
import type { NamesOptions } from '../../requested-models/model-names.ts'
import type { Operation, RequestView } from '../../provider.ts'
import { createKnownModelReader } from '../body-model.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentShape } from '../document-reader.ts'
import { toName } from '../json-leaves.ts'
import { matchPath } from '../model-operation.ts'

export interface BedrockModel {
  /** For the record: the name, else the ARN. */
  readonly label: string | null
  /** The model's name; null where it is not visible. */
  readonly name: string | null
}

const HIDDEN: BedrockModel = { label: null, name: null }
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,255}$/

// Other ARNs (routers, prompts, profiles, own models) end in an id that does not name the model.
const TELLING_ARN =
  /^arn:aws[a-z-]*:bedrock:[a-z0-9-]*:[0-9]*:(?:foundation-model|inference-profile)\/([^/]+)$/

/** `path` is the part behind `/model/`: percent-encoded, and decoded exactly once. */
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

/** For policies, where a body names the model; null for an ARN that does not tell it. */
export function toPolicyName(id: string): string | null {
  const { name } = toBedrockModel(id)
  return name ?? (/^arn:/i.test(id) ? null : id)
}

/** A call of the model that its path names. */
export function bedrockCall(
  name: string,
  path: RegExp,
  { answer, ...words }: { readonly answer: DocumentShape } & Pick<NamesOptions, 'content'>,
): Operation {
  const createUsageReader = readDocuments(answer)
  return { name, matches: matchPath('POST', path), ...namedInPath(words), createUsageReader }
}

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
