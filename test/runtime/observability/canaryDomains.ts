import { tokenMailedTo } from '../../../infra/local/samples/sampleAccounts.ts'
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
  const token = await client.accessToken('owner')
  await client.send({ method: 'POST', path: `${path}/verify`, token })
  await client.send({ method: 'PATCH', path, token, body: { membership: 'join' } })
  const email = canaries.add('email', `${canaries.make('name')}@${domain}`)
  const username = `u-${canaries.make('name')}`.slice(0, 20)
  const password = canaries.make('password')
  await client.send({ method: 'POST', path: '/api/auth/register', body: { email, username, password } })
  const link = canaries.add('link', await tokenMailedTo(client, email))
  const error = { type: 'ValidationException', message: canaries.make('words of DynamoDB') }
  stack.dynamoDb.fail({ operation: 'BatchGetItem', times: 99, error })
  await client.send({ method: 'POST', path: '/api/auth/verify', body: { token: link, password } })
  stack.dynamoDb.reset()
  const gone = { name: txt_name, type: 'TXT', values: [canaries.make('name')] }
  await client.send({ method: 'POST', path: '/_local/dns', body: gone })
  await emulator.advance(WEEK + 60)
  stack.dynamoDb.fail({ operation: 'GetItem', times: 9, error })
  await runSchedule('domains-check').catch(() => {})
  stack.dynamoDb.reset()
  for (let check = 1; check <= 3; check += 1) {
    await runSchedule('domains-check')
    await emulator.advance(WEEK + 60)
  }
}
