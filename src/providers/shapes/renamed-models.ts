// Gives a model one name where calls spell it in several ways, so that records and policies agree.

import { namesIn } from '../requested-models/model-names.ts'
import type { Operation, Reading, UsageReader } from '../provider.ts'
import { createResourceModelReader } from './gemini/gemini-path.ts'

export function renamedModels(operation: Operation, rename: (name: string) => string): Operation {
  return {
    ...operation,
    createModelReader: () => createResourceModelReader(rename),
    createNamesReader: namesIn({ normalise: rename }),
    createUsageReader: (request, response) =>
      changeReading(operation.createUsageReader(request, response), (reading) =>
        reading.model === null ? reading : { ...reading, model: rename(reading.model) },
      ),
  }
}

/** The same reader, whose result is changed at the end. */
export function changeReading(
  reader: UsageReader,
  change: (reading: Reading) => Reading,
): UsageReader {
  return {
    feed: (bytes) => reader.feed(bytes),
    get keptTextBytes() {
      return reader.keptTextBytes
    },
    dropText: () => reader.dropText?.(),
    end: (isWhole) => change(reader.end(isWhole)),
  }
}
