import { exampleSamples } from '../../../infra/openapi/recordExamples.ts'
import { contentPointer, type DocumentedOperation, exampleValue, operations } from './openApiDocument.ts'

export const samples = await exampleSamples()

/** What the document shows of a sample event: parameters, request body and answer, each where it has one, with its schema's pointer. */
function shown({ pointer, parameters = [], requestBody, responses }: DocumentedOperation, name: string) {
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    Object.entries(response.content ?? {}).flatMap(([type, { examples = {} }]) =>
      examples[name]
        ? [{ status, value: exampleValue(examples[name]), schema: contentPointer(response.pointer, type) }]
        : [],
    ),
  )
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
    examples[name]
      ? [{ type, value: exampleValue(examples[name]), schema: contentPointer(`${pointer}/requestBody`, type) }]
      : [],
  )
  const values = parameters.flatMap((parameter, at) =>
    parameter.examples?.[name]
      ? [
          {
            in: parameter.in,
            name: parameter.name,
            value: exampleValue(parameter.examples[name]),
            schema: `${pointer}/parameters/${at}/schema`,
          },
        ]
      : [],
  )
  return { answers, bodies, values }
}

/** Each sample of a documented operation, and what the document shows of it. */
export const cases = samples.map(({ row: { name, operationId, samples: roles }, sample }) => {
  const operation = operations.find((operation) => operation.operationId === operationId)
  if (operation === undefined) throw new Error(`no operation ${name}`)
  return { name, sample, isServed: roles.served === sample, operation, ...shown(operation, sample) }
})
