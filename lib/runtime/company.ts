import { createTxtResolver } from '../adapters/dns/txtResolver.ts'
import { createDomainChecks, createDomains } from '../adapters/dynamodb/domainStore.ts'
import { createCompanySignOns } from '../adapters/dynamodb/signOnStore.ts'
import { createProfiles } from '../adapters/dynamodb/userStore.ts'
import { ids } from '../adapters/random/ids.ts'
import { checkEndpointUrl } from '../events/endpointUrl.ts'
import type { Logger } from '../log/logger.ts'
import type { AddDomainDeps } from '../organizations/domains/addDomain.ts'
import type { CheckDomainsDeps } from '../organizations/domains/checkDomains.ts'
import type { DomainDeps } from '../organizations/domains/domainDeps.ts'
import type { LookUpTxt } from '../organizations/domains/ports.ts'
import type { VerifyDomainDeps } from '../organizations/domains/verifyDomain.ts'
import type { SaveSignOnDeps } from '../organizations/signOn/saveSignOn.ts'
import type { ChangeSignOnDeps, SignOnDeps } from '../organizations/signOn/signOnDeps.ts'
import type { TestSignOnDeps } from '../organizations/signOn/testSignOn.ts'
import { clock } from './clock.ts'
import { allTables, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { endpointUrlDepsFromEnvironment } from './events.ts'
import { logger } from './logger.ts'
import { mailerFromEnvironment } from './mailer.ts'
import { organizationsFromEnvironment } from './memberAdmission.ts'
import { openIdClientFromEnvironment, providerCipherFromEnvironment } from './providers.ts'
import { brandingFromEnvironment } from './settings.ts'

/** For reading the domains of an organization. */
export function domainDepsFromEnvironment(): DomainDeps {
  return { organizations: organizationsFromEnvironment(), domains: createDomains(documents, allTables()) }
}

/** For changing them. */
export function changeDomainDepsFromEnvironment(): AddDomainDeps {
  return { ...domainDepsFromEnvironment(), ids, clock }
}

/** For verifying them. */
export function verifyDomainDepsFromEnvironment(): VerifyDomainDeps {
  return { ...changeDomainDepsFromEnvironment(), lookUpTxt: lookUpTxtFromEnvironment() }
}

/** For checking verified domains. */
export function checkDomainsDepsFromEnvironment(): CheckDomainsDeps & { readonly logger: Logger } {
  const tables = allTables()
  return {
    organizations: organizationsFromEnvironment(),
    profiles: createProfiles(documents, tables.accounts),
    checks: createDomainChecks(documents, tables),
    lookUpTxt: lookUpTxtFromEnvironment(),
    mailer: mailerFromEnvironment(),
    branding: brandingFromEnvironment(),
    ids,
    clock,
    logger,
  }
}

/** For reading the single sign-on of an organization. */
export function signOnDepsFromEnvironment(): SignOnDeps {
  return { organizations: organizationsFromEnvironment(), signOns: createCompanySignOns(documents, allTables()) }
}

/** For deleting it. */
export function changeSignOnDepsFromEnvironment(): ChangeSignOnDeps {
  return { ...signOnDepsFromEnvironment(), ids, clock }
}

/** For saving it. */
export function saveSignOnDepsFromEnvironment(): SaveSignOnDeps {
  const urls = endpointUrlDepsFromEnvironment()
  return {
    ...changeSignOnDepsFromEnvironment(),
    providerCipher: providerCipherFromEnvironment(),
    async findAddressFault(url) {
      const check = await checkEndpointUrl(url, urls)
      return check.kind === 'refused' ? check.fault : undefined
    },
  }
}

/** For asking its provider. */
export function testSignOnDepsFromEnvironment(): TestSignOnDeps {
  return { ...signOnDepsFromEnvironment(), openId: openIdClientFromEnvironment() }
}

function lookUpTxtFromEnvironment(): LookUpTxt {
  return createTxtResolver({ servers: environment.DNS_SERVERS?.split(',') })
}
