import { provenDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import type { Ground } from './canaryFailures.ts'

const WEEK = 7 * 24 * 60 * 60

/** A domain of a new organization whose record disappears; the store fails once at its check. */
export async function loseDomain({ stack, canaries }: Ground): Promise<void> {
  const { client, emulator } = stack
  const organizationId = await client.newOrganization()
  const { id, domain, txt_name, txt_value } = await provenDomain(client, organizationId)
  canaries.add('name', domain)
  canaries.add('secret', txt_value)
  const path = `/api/organizations/${organizationId}/domains/${id}`
  await client.send({ method: 'POST', path: `${path}/verify`, token: await client.accessToken('owner') })
  const gone = { name: txt_name, type: 'TXT', values: [canaries.make('name')] }
  await client.send({ method: 'POST', path: '/_local/dns', body: gone })
  await emulator.advance(WEEK + 60)
  const error = { type: 'ValidationException', message: canaries.make('words of DynamoDB') }
  stack.dynamoDb.fail({ operation: 'GetItem', times: 9, error })
  await runSchedule('domains-check').catch(() => {})
  stack.dynamoDb.reset()
  for (let check = 1; check <= 3; check += 1) {
    await runSchedule('domains-check')
    await emulator.advance(WEEK + 60)
  }
}
