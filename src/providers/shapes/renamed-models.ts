// A call of another's shape whose models are written in more than one way: brought to one, wherever
// they stand, so that the record, the prices and the policies speak of the same model.

import { namesIn } from '../names/model-names.ts'
import type { Operation, UsageReader } from '../provider.ts'
import { createResourceModelReader } from './gemini/gemini-path.ts'

export function renamedModels(operation: Operation, rename: (name: string) => string): Operation {
  return {
    ...operation,
    createModelReader: () => createResourceModelReader(rename),
    createNamesReader: namesIn({ normalise: rename }),
    createUsageReader: (request, response) =>
      renameReading(operation.createUsageReader(request, response), rename),
  }
}

function renameReading(reader: UsageReader, rename: (name: string) => string): UsageReader {
  return {
    feed: (bytes) => reader.feed(bytes),
    get keptTextBytes() {
      return reader.keptTextBytes
    },
    dropText: () => reader.dropText?.(),
    end(isWhole) {
      const reading = reader.end(isWhole)
      return reading.model === null ? reading : { ...reading, model: rename(reading.model) }
    },
  }
}
