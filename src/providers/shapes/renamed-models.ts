// Gives a model one name where calls spell it in several ways, so that records and policies agree.

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
