import { randomUUID } from 'node:crypto'
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { createCompanyProviders } from '../../../lib/adapters/dynamodb/companyProviderStore.ts'
import { ownDomainKey } from '../../../lib/adapters/dynamodb/domainStore.ts'
import { organizationKey } from '../../../lib/adapters/dynamodb/organizationItem.ts'
import { signOnKey } from '../../../lib/adapters/dynamodb/signOnStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createProviderSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { type OrganizationId, organizationIdSchema } from '../../../lib/core/ids.ts'
import type { DomainMembership } from '../../../lib/organizations/domains/ports.ts'
import { queryOf, registerClient } from '../../oauth/authorize/people.ts'
import { type AccountsStack, CUSTOMER_KEY } from '../../support/accountsStack.ts'
import { type Browser, client, useProvider } from './providerVisits.ts'

const TableName = tables.billing.localName

/** A company with a verified domain of its own and the emulated provider as its single sign-on. */
export interface Company {
  readonly id: OrganizationId
  readonly domain: string
  readonly name: string
}

interface CompanySettings {
  readonly issuer: string
  readonly trustAcr?: boolean
  readonly membership?: DomainMembership
  readonly domain?: string
  /** Of an organization that is there; undefined makes one. */
  readonly id?: OrganizationId
}

/** A stack with a provider that companies register, besides the operator's at the same address. */
export function useCompanies() {
  const bed = useProvider()
  return {
    ...bed,
    companies: () => createCompanyProviders(bed.stack().documents, TableName),
    company: (change: Partial<CompanySettings> = {}) =>
      createCompany(placeIn(bed.stack()), { issuer: bed.provider().issuer, ...change }),
    loseDomain: (own: Company) => loseDomain(bed.stack().documents, TableName, own),
  }
}

/** Takes the domain from its company, as a failed check does. */
export function loseDomain(documents: AccountsStack['documents'], table: string, own: Company): Promise<void> {
  return changeDomain(documents, table, own, 'DELETE')
}

async function changeDomain(
  documents: AccountsStack['documents'],
  table: string,
  { id, domain }: Company,
  change: 'ADD' | 'DELETE',
): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: table,
      Key: organizationKey(id),
      UpdateExpression: `${change} verifiedDomains :domains`,
      ExpressionAttributeValues: { ':domains': new Set([domain]) },
    }),
  )
}

const placeIn = ({ documents, kms, clock }: AccountsStack): CompanyPlace => ({
  ...{ documents, table: TableName, client, at: clock.now() },
  kms: { endpoint: kms.endpoint, keyId: CUSTOMER_KEY },
})

/** Where a company is stored, and what encrypts its secret. */
interface CompanyPlace {
  readonly documents: AccountsStack['documents']
  readonly table: string
  readonly kms: { readonly endpoint: string; readonly keyId: string }
  /** Unix milliseconds. */
  readonly at: number
  /** The service as its provider knows it. */
  readonly client: { readonly clientId: string; readonly clientSecret: string }
}

/** Stores an organization with what its owners set. */
export async function createCompany(place: CompanyPlace, settings: CompanySettings): Promise<Company> {
  const { documents, table, kms, at, client } = place
  const { issuer, trustAcr = false, membership = 'none' } = settings
  const { id = organizationIdSchema.parse(randomUUID()), domain = `${id}.example` } = settings
  const name = 'Initech & Co'
  const kmsClient = createKmsClient({ endpoint: kms.endpoint, region: 'us-east-1' })
  const ciphers = createProviderSecretCipher({ client: kmsClient, keyId: kms.keyId })
  const cipher = await ciphers.encrypt(id, client.clientSecret)
  kmsClient.destroy()
  const { clientId } = client
  const signOn = { organizationId: id, issuer, clientId, cipher, isEnforced: false, trustAcr, updatedAt: at }
  const organization = { organizationId: id, name, createdAt: '2026-11-28T00:00:00Z', owners: 1 }
  const items = [
    ...(settings.id === undefined ? [{ ...organizationKey(id), ...organization }] : []),
    { ...signOnKey(id), ...signOn },
    { ...ownDomainKey(domain), organizationId: id, id: randomUUID(), name: domain, membership, checkAt: at },
  ]
  for (const Item of items) await documents.send(new PutCommand({ TableName: table, Item }))
  const verified = { id, domain, name }
  await changeDomain(documents, table, verified, 'ADD')
  return verified
}

/** The page on which a client asks for the single sign-on of an organization. */
export async function openSignOn(
  stack: Pick<AccountsStack, 'clients'>,
  browser: Browser,
  { id }: Pick<Company, 'id'>,
  parameters: Record<string, string> = {},
) {
  const client = await registerClient(stack, { firstParty: true })
  const path = `/api/oauth/authorize?${queryOf(client, { acr_values: `sso:${id}`, ...parameters })}`
  return { path, client, page: await browser.get(path) }
}
