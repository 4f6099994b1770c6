import { createTxtResolver } from '../adapters/dns/txtResolver.ts'
import { createDomains } from '../adapters/dynamodb/domainStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { AddDomainDeps } from '../organizations/domains/addDomain.ts'
import type { DomainDeps } from '../organizations/domains/domainDeps.ts'
import type { LookUpTxt } from '../organizations/domains/ports.ts'
import type { VerifyDomainDeps } from '../organizations/domains/verifyDomain.ts'
import { clock } from './clock.ts'
import { allTables, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { organizationsFromEnvironment } from './memberAdmission.ts'

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

function lookUpTxtFromEnvironment(): LookUpTxt {
  return createTxtResolver({ servers: environment.DNS_SERVERS?.split(',') })
}
