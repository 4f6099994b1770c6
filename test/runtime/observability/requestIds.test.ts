import { beforeAll, describe, expect, it } from '@jest/globals'
import { inRequestScope, requestScope } from '../../../lib/http/endpoint/requestScope.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { captureOutput } from './captureOutput.ts'
import { readLogLine } from './outputLines.ts'

const bed = useBillingStack()
beforeAll(() => {
  // Read at the first request, with which the logger is imported.
  process.env.LOG_LEVEL = 'INFO'
})

/** The log lines of concurrent requests to paths of the API, and the id in each answer. */
async function linesOf(paths: readonly string[], token?: string) {
  const output = captureOutput()
  try {
    const requests = paths.map((path) => bed.stack.wire({ method: 'GET', path, ...(token !== undefined && { token }) }))
    const ids = (await Promise.all(requests)).map(({ headers }) => headers['x-request-id'])
    return { ids, lines: output.lines().map(readLogLine) }
  } finally {
    output.stop()
  }
}

const entitlements = (organizationId: string) => `/api/billing/entitlements?organization_id=${organizationId}`

describe('The lines of a request', () => {
  // [asvs 16.2.1]
  it('have the id that the caller receives, and the named organization, each its own among concurrent requests', async () => {
    const token = await bed.stack.token('stranger')
    const organizations = await Promise.all(Array.from({ length: 5 }, () => bed.stack.client.newOrganization()))
    const { ids, lines } = await linesOf(organizations.map(entitlements), token)
    const actual = lines.map(({ fields }) => `${fields.requestId} ${fields.organizationId} ${fields.code}`)
    const expected = organizations.map((organization, index) => `${ids[index]} ${organization} organization_not_found`)
    expect(actual.toSorted()).toEqual(expected.toSorted())
  })

  it('have no organization when its id is malformed or repeated', async () => {
    const id = await bed.stack.client.newOrganization()
    const paths = [entitlements('org-7'), `${entitlements(id)}&organization_id=${id}`, '/api/users/me']
    const { lines } = await linesOf(paths)
    expect(lines.map(({ fields }) => [fields.code, fields.organizationId])).toEqual(
      paths.map(() => ['unauthorized', undefined]),
    )
  })
})

describe('The scope of a request', () => {
  it('applies to everything that the request starts, and to nothing else', async () => {
    const scope = { requestId: 'a', awsRequestId: 'b' }
    const later = inRequestScope(scope, async () => {
      await new Promise(setImmediate)
      return requestScope()
    })
    expect(requestScope()).toBeUndefined()
    expect(await later).toEqual(scope)
  })
})
