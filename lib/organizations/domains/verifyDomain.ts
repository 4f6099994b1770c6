import { entryBy } from '../auditEntry.ts'
import { DomainNotProvenError, OrganizationError } from '../errors.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { CHECK_AFTER } from './decideCheck.ts'
import { type ChangeDomainDeps, type DomainRequest, findDomain, requireLivingOrganization } from './domainDeps.ts'
import { proofNameOf } from './domainName.ts'
import type { Domain, LookUpTxt } from './ports.ts'

export interface VerifyDomainDeps extends ChangeDomainDeps {
  readonly lookUpTxt: LookUpTxt
}

/**
 * Verifies a domain by its TXT record. Only who proves it learns that another organization has it. What failed in earlier checks is forgotten.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `organization_deleting`, `domain_not_found`, `domain_taken`;
 *   DomainNotProvenError; CommonError `invalid_token`, `service_unavailable`
 */
export function verifyDomain(deps: VerifyDomainDeps, request: DomainRequest): Promise<Domain> {
  return retryOnConflict(async () => {
    await requireLivingOrganization(deps, request)
    const domain = await findDomain(deps, request)
    await requireProof(deps.lookUpTxt, domain)
    const verified = { action: 'domain.verified', target: domain.id, detail: { domain: domain.name } } as const
    const write = { by: request.caller, entry: entryBy(deps, request, verified) }
    const outcome = await deps.domains.verify(domain, deps.clock.now() + CHECK_AFTER, write)
    if (outcome === 'taken') throw new OrganizationError('domain_taken')
    return outcome === 'written' ? { ...domain, status: 'verified' as const } : outcome
  })
}

/** @throws DomainNotProvenError */
async function requireProof(lookUpTxt: LookUpTxt, { name, proof }: Domain): Promise<void> {
  const answer = await lookUpTxt(proofNameOf(name))
  if (answer.kind === 'no_answer') throw new DomainNotProvenError('no_answer')
  if (answer.values.includes(proof)) return
  throw new DomainNotProvenError(answer.values.length === 0 ? 'no_record' : 'other_value')
}
