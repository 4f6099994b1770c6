import { describe, expect, it } from '@jest/globals'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as z from 'zod'
import { readEventOf } from '../../../infra/aws/constructs/functions/releaseCheck/checkVersion.ts'
import { apiGatewayAnswer } from '../../../infra/local/http/apiGatewayAnswer.ts'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { apiClient } from '../../../infra/local/samples/sampleApiClient.ts'
import { servesRelease } from '../../../infra/manifest/row.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { loadContract } from '../../../infra/openapi/document.ts'
import { isHttpRow } from '../../../infra/openapi/operation.ts'
import { resourceScopes } from '../../../lib/core/scopes.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const rows: readonly FunctionRow[] = manifest
const stack = await openLocalStack()
const client = localClient(stack.info)
const canary = (await apiClient(client, await client.newOrganization(), ['entitlements:read'])).client_id
async function readFrom(row: FunctionRow) {
  // As the row's stack sets it. A function reads it when it starts.
  if (servesRelease(row)) process.env.RELEASE_READER = canary
  else delete process.env.RELEASE_READER
  // Lambda passes on whatever is invoked.
  const event = z.custom<APIGatewayProxyEventV2>().parse(readEventOf(row, canary))
  const { status, body } = apiGatewayAnswer(await invokeFunction(row, event))
  return { status, body: z.json().parse(JSON.parse(body.toString())) }
}

describe('The read of a version before traffic', () => {
  it('is served to the canary by each function that reads for API clients, as the manifest says', async () => {
    const reading = await Promise.all(
      rows.filter(isHttpRow).map(async (row) => {
        const { scope } = await loadContract(row)
        return servesRelease(row) && resourceScopes.some((one) => one === scope) ? [row.name] : []
      }),
    )
    expect(rows.flatMap(({ name, canaryReads }) => (canaryReads ? [name] : []))).toEqual(reading.flat())
  })

  it.each(rows.filter(({ canaryReads }) => canaryReads))('$name: 200 of its own organization', async (row) => {
    expect(await readFrom(row)).toEqual({ status: 200, body: expect.any(Object) })
  })

  it.each(rows.filter((row) => servesRelease(row) && !row.canaryReads))('$name: 401 after a read', async (row) => {
    // Without a token it would be `unauthorized`: this one was looked up.
    expect(await readFrom(row)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  })

  it('changes nothing: a function that writes takes it for a call without a token', async () => {
    const writes = rows.filter(({ name }) => ['billing-checkout', 'users-me-delete'].includes(name))
    expect(writes).toHaveLength(2)
    for (const row of writes) expect(await readFrom(row)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })
})
