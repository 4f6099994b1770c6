import { createTxtResolver } from '../adapters/dns/txtResolver.ts'
import { createDomainChecks, createDomains } from '../adapters/dynamodb/domainStore.ts'
import { createProfiles } from '../adapters/dynamodb/userStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { AddDomainDeps } from '../organizations/domains/addDomain.ts'
import type { CheckDomainsDeps } from '../organizations/domains/checkDomains.ts'
import type { DomainDeps } from '../organizations/domains/domainDeps.ts'
import type { LookUpTxt } from '../organizations/domains/ports.ts'
import type { VerifyDomainDeps } from '../organizations/domains/verifyDomain.ts'
import { clock } from './clock.ts'
import { allTables, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'
import { mailerFromEnvironment } from './mailer.ts'
import { organizationsFromEnvironment } from './memberAdmission.ts'
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

function lookUpTxtFromEnvironment(): LookUpTxt {
  return createTxtResolver({ servers: environment.DNS_SERVERS?.split(',') })
}
