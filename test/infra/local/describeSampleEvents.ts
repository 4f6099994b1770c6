import { describe, expect, it } from '@jest/globals'
import { apiGatewayAnswer } from '../../../infra/local/http/apiGatewayAnswer.ts'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { samplesOf } from '../../../infra/local/samples/readSamples.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const rows: readonly FunctionRow[] = manifest
/** Those of documented operations are sent by `test/infra/openapi/sentExamples.deep.test.ts`, which looks at their answers as well. */
export const sampleEvents = rows
  .filter(({ operationId }) => operationId === undefined)
  .flatMap((row) => Object.keys(samplesOf(row.name)).map((sample) => ({ name: row.name, sample, row })))

/** Invokes functions with sample events. */
export async function describeSampleEvents(cases: typeof sampleEvents): Promise<void> {
  const stack = await openLocalStack({ schedules: true, events: true })
  const client = localClient(stack.info)

  describe('A sample', () => {
    it.each(cases)('$name $sample is answered with the status that it expects', async ({ name, sample, row }) => {
      const { event, expectedStatus } = await fillSampleEvent(client, name, sample)
      const { status, body } = apiGatewayAnswer(await invokeFunction(row, event))
      expect({ status, body: body.toString() }).toEqual({ status: expectedStatus, body: expect.any(String) })
    })
  })
}
