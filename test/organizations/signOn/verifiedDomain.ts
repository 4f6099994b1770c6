import { expect } from '@jest/globals'
import * as z from 'zod'
import { newDomain } from '../../../infra/local/samples/sampleDomains.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import type { Person } from '../members/people.ts'

const claim = z.object({ id: z.string(), txt_name: z.string(), txt_value: z.string() })

/** Verifies a new domain for an organization, by a record that the local stack plays. Returns the domain. */
export async function verifiedDomain(
  { client }: BillingStack,
  { owner, path }: { readonly owner: Person; readonly path: string },
): Promise<string> {
  const domain = newDomain()
  const { body } = await owner.call('POST', `${path}/domains`, { domain })
  const { id, txt_name, txt_value } = claim.parse(body)
  const record = { name: txt_name, type: 'TXT', values: [txt_value] }
  expect((await client.send({ method: 'POST', path: '/_local/dns', body: record })).status).toBe(200)
  expect((await owner.call('POST', `${path}/domains/${id}/verify`)).status).toBe(200)
  return domain
}
