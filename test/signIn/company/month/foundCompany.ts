import type { Identity } from '../../../../lib/core/identity.ts'
import { changeSignInRules } from '../../../../lib/organizations/admission/changeSignInRules.ts'
import { addDomain } from '../../../../lib/organizations/domains/addDomain.ts'
import { changeDomain } from '../../../../lib/organizations/domains/changeDomain.ts'
import { proofNameOf } from '../../../../lib/organizations/domains/domainName.ts'
import { verifyDomain } from '../../../../lib/organizations/domains/verifyDomain.ts'
import { saveSignOn } from '../../../../lib/organizations/signOn/saveSignOn.ts'
import { noFactors, openBrowser } from '../../recovery/browser.ts'
import type { CompanyService } from '../companyService.ts'
import { rules } from './expectations.ts'

export const DOMAIN = 'acme.example'
export const ISSUER = 'https://idp.acme.example'

const boss = { email: `boss@${DOMAIN}`, password: 'the phrase of the boss' }

/**
 * A company whose members must use its single sign-on, with rules and a domain by which people join. Its owner has enforced it, and signs in with a
 * password and an authenticator app.
 * @param begin of the month, in Unix milliseconds
 */
export async function foundCompany(service: CompanyService, begin: number) {
  const { deps, dns } = service
  const userId = await service.register(boss.email, boss.password)
  const organizationId = service.found(userId)
  const browser = openBrowser(service.asService)
  const factors = noFactors()
  await browser.signIn(boss.email, boss.password)
  await browser.addTotp(factors)
  const call = (run: (caller: Identity) => Promise<unknown>) => browser.call({}, {}, run)

  const saveSecret = (clientSecret: string) => (caller: Identity) =>
    saveSignOn(deps, {
      ...{ organizationId, caller },
      settings: { issuer: ISSUER, clientId: 'service', clientSecret, isEnforced: true, trustAcr: true },
    })

  let proof = ''
  const done = await call(async (caller) => {
    const request = { organizationId, caller }
    const domain = await addDomain(deps, { ...request, name: DOMAIN })
    proof = domain.proof
    dns.set(proofNameOf(DOMAIN), { values: [proof], fails: false })
    await verifyDomain(deps, { ...request, id: domain.id })
    await changeDomain(deps, { ...request, id: domain.id, membership: 'join' })
    await saveSecret('secret')(caller)
    const { maxSessionDays, idleHours, factorFrom } = rules
    const change = { maxSessionDays, idleHours, secondFactorFrom: begin + factorFrom }
    await changeSignInRules(deps, { ...request, change })
  })
  if (done !== 'done') throw new Error(`the company is not founded: ${done}`)

  return {
    ...{ organizationId, proof, saveSecret },
    boss: { userId, call, comeIn: () => browser.signIn(boss.email, boss.password, factors) },
  }
}
