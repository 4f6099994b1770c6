import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { domainOfAddress } from '../../organizations/domains/domainName.ts'
import type { CompanyProviders } from '../../signIn/provider/ports.ts'
import { ownDomainKey } from './domainStore.ts'
import { readItem, readParsed } from './kit/readItems.ts'
import { organizationKey, parseOrganization } from './organizationItem.ts'
import { signOnItem, signOnKey } from './signOnStore.ts'

/** Which organization has a domain verified. */
const ownDomain = z.object({ organizationId: organizationIdSchema })

/** `CompanyProviders` in the table `billing`, from what the owners of organizations have set. */
export function createCompanyProviders(client: DynamoDBDocumentClient, table: string): CompanyProviders {
  async function find(organizationId: OrganizationId) {
    const [stored, signOn] = await Promise.all([
      readItem(client, table, organizationKey(organizationId)),
      readParsed(client, table, signOnKey(organizationId), signOnItem),
    ])
    const organization = stored && parseOrganization(stored)
    const { name = '', deletion, verifiedDomains: domains = [] } = organization ?? {}
    if (signOn === undefined || deletion !== undefined || domains.length === 0) return undefined
    const { issuer, clientId, cipher, trustAcr } = signOn
    return { id: organizationId, owner: organizationId, name, issuer, clientId, cipher, trustAcr, domains }
  }

  return {
    find,

    async findByAddress(email) {
      const domain = domainOfAddress(email)
      const own = domain === undefined ? undefined : await readParsed(client, table, ownDomainKey(domain), ownDomain)
      return own && find(own.organizationId)
    },
  }
}
