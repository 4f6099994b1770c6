import { describe, expect, it } from '@jest/globals'
import { contentPointer, document, operations, schemaAt } from './openApiDocument.ts'

describe('The document as OpenAPI 3.1', () => {
  it('has only schemas that compile as JSON Schema 2020-12', () => {
    const contents = operations.flatMap(({ pointer, requestBody, responses, parameters = [] }) => [
      ...Object.keys(requestBody?.content ?? {}).map((type) => contentPointer(`${pointer}/requestBody`, type)),
      ...parameters.map((_, at) => `${pointer}/parameters/${at}/schema`),
      ...Object.values(responses).flatMap(({ content = {}, pointer: own }) =>
        Object.keys(content).map((type) => contentPointer(own, type)),
      ),
    ])
    const named = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    for (const pointer of [...contents, ...named]) expect(schemaAt(pointer)).toBeInstanceOf(Function)
  })
})
