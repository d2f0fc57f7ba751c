// Bedrock's calls whose body names the model. Must stay true: the record has Bedrock's name, not
// the maker's own, which leaves out the region that decides on the price.

import type { ModelReader, Operation, Reading } from '../../provider.ts'
import { createResourceModelReader } from '../gemini/gemini-path.ts'
import { changeReading } from '../renamed-models.ts'
import { toBedrockModel } from './bedrock-model.ts'

/** `maker.model`, perhaps behind a region: `us.maker.model`. A maker's own `model-5.5` is none. */
const BEDROCK_NAME = /^(?:[a-z-]+\.)?[a-z\d]+\.[a-z]/

export function namedInBody(operation: Operation): Operation {
  return {
    ...operation,
    createModelReader: createBedrockBodyReader,
    createUsageReader: (request, response) =>
      changeReading(operation.createUsageReader(request, response), withoutMakersName),
  }
}

/** For the record: an ARN that tells the name becomes the name. */
export function createBedrockBodyReader(): ModelReader {
  return createResourceModelReader((id) => toBedrockModel(id).label ?? id)
}

/** The requested name then stands for it. Where several models ran, only the answer names them. */
function withoutMakersName(reading: Reading): Reading {
  const { model, shares } = reading
  const isKept = model === null || shares !== undefined || BEDROCK_NAME.test(model)
  return isKept ? reading : { ...reading, model: null }
}
