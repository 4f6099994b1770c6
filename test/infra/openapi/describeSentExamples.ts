import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { localClient } from '../../../infra/local/localClient.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { everywhere } from '../../../infra/openapi/headers.ts'
import { shapeOf } from '../../../infra/openapi/recordExamples.ts'
import { sendSampleEvent } from '../../../infra/openapi/sendSampleEvent.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import type { cases as allCases } from './documentedSamples.ts'
import { type DocumentedOperation, errorsOf, headersAt } from './openApiDocument.ts'

/** Headers of HTTP itself, of API Gateway, and of CORS, which the description names for all operations. */
const ofTheGateway =
  /^(connection|keep-alive|date|content-(length|type)|transfer-encoding|apigw-requestid|access-control-.+)$/

/** Headers of an answer that the document does not mention, and headers that it requires and that are missing. */
function headerMistakes({ responses }: DocumentedOperation, status: number, sent: IncomingHttpHeaders): string[] {
  const listed = headersAt(responses[status])
  const known = [...Object.keys(everywhere), ...listed.map(({ name }) => name)]
  const required = [...Object.keys(everywhere), ...listed.filter((one) => one.required).map(({ name }) => name)]
  const unknown = Object.entries(sent)
    .filter(
      ([name, value]) => !known.includes(name) && !ofTheGateway.test(name) && !(name === 'vary' && value === 'Origin'),
    )
    .map(([name]) => name)
  return [
    ...unknown.map((name) => `+ ${name}`),
    ...required.filter((name) => !(name in sent)).map((name) => `- ${name}`),
  ]
}

/** Sends samples, and compares what is answered with the document. */
export async function describeSentExamples(cases: typeof allCases): Promise<void> {
  const stack = await openLocalStack({ schedules: true })
  const client = localClient(stack.info)

  describe('The examples of the document', () => {
    it.each(cases)(
      '$name $sample: sent to the local stack, it is answered so',
      async ({ name, sample, operation, answers }) => {
        const { event, expectedStatus } = await fillSampleEvent(client, name, sample)
        const { status, body, headers } = await sendSampleEvent(event, stack.info.base_url)
        expect({ status, body }).toMatchObject({ status: expectedStatus })
        expect(headerMistakes(operation, status, headers)).toEqual([])
        expect(Object.keys(operation.responses)).toContain(String(status))
        expect(answers.map((answer) => answer.status)).toEqual(body === undefined ? [] : [String(status)])
        for (const { schema, value } of answers) {
          expect({ body, errors: errorsOf(schema, body) }).toEqual({ body, errors: [] })
          expect(shapeOf(body)).toBe(shapeOf(value))
        }
      },
    )
  })
}
