import { resolve } from 'node:path'
import { format } from 'node:util'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import * as z from 'zod'
import { localKeys } from '../../../infra/data/demo.ts'
import { setEnvironment } from '../../../infra/local/functionEnvironment.ts'
import { createResourceScope } from '../../../infra/local/resourceScope.ts'
import { openInvoiceOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { operator } from '../../../infra/manifest/operator.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createAtGateway } from '../../billing/createAtGateway.ts'
import { customerOf, subscribedOrganization } from '../../billing/gatewayView.ts'
import { withLostKey } from '../../infra/operate/loseKey.ts'
import { holdUnknown, loseCustomer } from '../../infra/operate/putSlot.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import { asOperator } from '../../support/aws/awsCaller.ts'
import { deployedStage } from '../../support/aws/deployedStage.ts'
import { operatorPermissions } from '../../support/aws/iamPermissions.ts'
import { interceptAwsCalls } from '../../support/aws/interceptAwsCalls.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { startSecretsManager } from './startSecretsManager.ts'

const secretArn = 'arn:aws:secretsmanager:us-east-1:111122223333:secret:StripeSecretKey'
const bed = useBillingStack({ secrets: { [secretArn]: 'stripeSecretKey' } })
const opened = createResourceScope()
const scripts = resolve(import.meta.dirname, '../../../infra/operate')

let runs = 0

/** Runs `npm run <script> -- ... --aws --stage dev` in this process, as a person with a session of IAM Identity Center. */
async function run(script: 'operate' | 'reconcile' | 'clients', ...args: string[]) {
  const { argv, exit } = process
  let output = ''
  const keep = (...said: unknown[]) => {
    output += `${format(...said)}\n`
  }
  const spies = [
    jest.spyOn(console, 'log').mockImplementation(keep),
    jest.spyOn(console, 'error').mockImplementation(keep),
    jest.spyOn(console, 'table').mockImplementation(keep),
  ]
  process.argv = [...argv.slice(0, 1), `${scripts}/${script}.ts`, ...args, '--aws', '--stage', 'dev']
  process.exitCode = undefined
  runs += 1
  try {
    const code = await asOperator(
      () =>
        new Promise<number>((ended, failed) => {
          process.exit = ((given?: number) => ended(Number(given ?? process.exitCode ?? 0))) as typeof process.exit
          setTimeout(() => failed(new Error(`${args} does not end: ${output}`)), 20_000).unref()
          import(`${scripts}/${script}.ts?run=${runs}`).catch(failed)
        }),
    )
    return { code, output }
  } finally {
    Object.assign(process, { argv, exit, exitCode: undefined })
    for (const spy of spies) spy.mockRestore()
  }
}

describe('The operators’ role', () => {
  beforeAll(async () => {
    const { stack } = bed
    const { tables, stripe } = stack.client.info
    const secrets = await opened.add(startSecretsManager({ [secretArn]: stripe.secret_key }))
    const calls = await opened.add(interceptAwsCalls(secrets.endpoint, { authorize: stack.iam.authorize }))
    const stage = await opened.add(
      deployedStage({
        name: 'dev',
        outputs: {
          accountsTable: tables.accounts,
          billingTable: tables.billing,
          auditLogTable: tables.audit_log,
          eventsTable: tables.events,
          customerKeyId: localKeys.customer,
          stripeSecretKeyArn: secretArn,
        },
      }),
    )
    opened.add(setEnvironment({ ...stage.environment, AWS_ENDPOINT_URL_SECRETS_MANAGER: calls.endpoint }))
    delete process.env.STRIPE_SECRET_KEY
  })

  afterAll(() => opened.close())

  it('suffices for every command, and each permission is made use of', async () => {
    const { stack } = bed
    const { client } = stack
    const { demo } = client.info
    const apply = async (script: 'operate' | 'reconcile' | 'clients', ...args: string[]) => {
      const said = await run(script, ...args, ...(script === 'clients' ? [] : ['--apply']))
      // A reconciliation leaves what only a person can decide: 2.
      const codes = script === 'reconcile' ? [0, 2] : [0]
      expect({ args, ...said, isDone: codes.includes(said.code) }).toMatchObject({ isDone: true })
      return said.output
    }

    // Accounts.
    const ada = await enrollFactors(client)
    const { id: adaId } = z
      .object({ id: z.string() })
      .parse((await client.send({ method: 'GET', path: '/api/users/me', token: ada.accessToken })).body)
    await client.send({ method: 'POST', path: '/api/organizations', token: ada.accessToken, body: { name: 'Acme' } })
    const as = await apply('operate', 'show', demo.organization_id)
    expect(as).toContain('As dev-operator-us-east-1 (ada@example.com), account 111122223333, us-east-1')
    await apply('operate', 'show', adaId)
    await apply('operate', 'show', 'owner@example.com')
    await apply('operate', 'remove-factors', adaId)
    await apply('operate', 'remove-factors', adaId, '--now')
    for (const command of ['sign-out', 'suspend', 'restore']) await apply('operate', command, adaId)

    // Clients.
    const path = `/api/organizations/${demo.organization_id}/api-clients`
    const body = { name: 'Reports', scopes: ['billing:read'] }
    const created = await client.send({ method: 'POST', path, token: await stack.token(), body })
    const { client_id } = z.object({ client_id: z.string() }).parse(created.body)
    await apply('operate', 'scopes', client_id, 'billing:read,members:read')
    const uri = 'https://tools.example.com/callback'
    await apply('clients', 'create', 'Tools', '--id', 'tools', '--redirect-uri', uri)
    await apply('operate', 'scopes', 'tools', 'billing:read')
    for (const command of ['rotate-secret', 'retire-secret', 'disable', 'enable'])
      await apply('clients', command, 'tools')
    await apply('clients', 'add-redirect-uri', 'tools', `${uri}/2`)
    await apply('clients', 'remove-redirect-uri', 'tools', uri)
    await apply('clients', 'refresh-origins')
    await apply('clients', 'list')

    // Slots, gateways and customers.
    await apply('operate', 'pending')
    const unknown = await subscribedOrganization(stack)
    await holdUnknown(stack, unknown.organizationId)
    await stack.stripe.subscriptions.cancel(unknown.subscriptionId)
    await apply('operate', 'release', unknown.organizationId, 'ota')
    const restored = await subscribedOrganization(stack)
    await loseCustomer(stack, restored.organizationId)
    await apply('operate', 'adopt', restored.organizationId, 'ota', restored.subscriptionId)
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    const customer = await customerOf(stack, organizationId)
    const { id: byHand } = await createAtGateway(stack, { customer, default_payment_method: card })
    await apply('operate', 'adopt', organizationId, 'ota', byHand)
    await stack.emulator.webhooks('deliver')
    const other = await client.newOrganization()
    await apply('operate', 'gateway', other, 'invoice', '--days', '30')
    await apply('operate', 'gateway', other, 'card')
    for (const dry of [['throttle', other, '--requests-per-minute', '60'], ['rebind-customers'], ['reset-totp']]) {
      const { code, output } = await run('operate', ...dry)
      expect({ dry, code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Nothing was changed') })
    }
    await apply('operate', 'throttle', other, '--requests-per-minute', '60')
    await apply('operate', 'throttle', other, '--lift')
    const added = await apply('operate', 'webhooks', 'add', 'https://203.0.112.1/in', '--type', 'invoice.paid')
    const [endpoint = ''] = /[0-9a-f-]{36}/.exec(added) ?? []
    for (const command of ['rotate', 'test', 'remove']) await apply('operate', 'webhooks', command, endpoint)
    await apply('operate', 'webhooks', 'list')
    // Any file with a text serves as that of the secret.
    const secret = ['--client-id', 'service', '--client-secret-file', '.nvmrc']
    const issuer = `${client.info.base_url}/_local/provider`
    await apply('operate', 'providers', 'add', 'acme', '--name', 'Acme', '--issuer', issuer, ...secret)
    await apply('operate', 'providers', 'list')
    await apply('operate', 'providers', 'remove', 'acme')
    const owing = await openInvoiceOrganization(client)
    await stack.cancel(owing, { product: 'ota', at_period_end: false })
    await apply('operate', 'write-off', owing)
    await stack.stripe.customers.update(customer, { name: '', email: '' })
    const bob = await enrollFactors(client)
    expect(await apply('operate', 'reset-totp')).toContain(`${bob.userId}: the authenticator app was removed`)
    await apply('operate', 'backfill-customers')
    await withLostKey(stack, (lost) => lost.customer(organizationId, customer))
    await apply('operate', 'rebind-customers')
    await apply('operate', 'rebind-customers', organizationId)
    await apply('operate', 'backfill-invitations')

    // The reconciliation, with something to repair.
    const gone = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    await stack.stripe.customers.del(await customerOf(stack, gone.organizationId))
    const ended = await subscribedOrganization(stack)
    await stack.stripe.subscriptions.cancel(ended.subscriptionId)
    // Its coupon is given back.
    const expired = await stack.organizationWithCard('pm_card_authenticationRequired')
    const { code: coupon } = await stack.newCoupon()
    await stack.checkout(expired.organizationId, ['base_ota'], { card: expired.card, coupon })
    await stack.emulator.advance(24 * 3600)
    await apply('reconcile')
    await apply('reconcile', '--adopt-only')

    // Last: it ends the grants of the demo's users.
    await apply('clients', 'disable', demo.client_id)
    await apply('clients', 'enable', demo.client_id)

    const used = [...stack.iam.used()].filter((line) => line.startsWith(operator.name))
    expect(stack.iam.takeViolations()).toEqual([])
    const unused = operatorPermissions().filter((permission) => !used.includes(`${operator.name} ${permission}`))
    expect(unused).toEqual([])
  })

  it('is refused a call beyond its list', async () => {
    const { stack } = bed
    const documents = createDocumentClient({ endpoint: stack.dynamoDb.endpoint, region: 'us-east-1' })
    const scan = asOperator(() => documents.send(new ScanCommand({ TableName: stack.client.info.tables.audit_log })))
    await expect(scan).rejects.toThrow('not authorized to perform: dynamodb:Scan')
    documents.destroy()
    expect(stack.iam.takeViolations()).toEqual(['operator may not dynamodb:Scan auditLog'])
  })
})
